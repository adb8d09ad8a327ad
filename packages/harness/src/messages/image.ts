import type { ImageErrorCode } from '@doompi-sandbox/image';
import type { Explanations } from './explanation.ts';

export const IMAGE_MESSAGES: Explanations<ImageErrorCode> = {
  IMAGE_AGENT_UNPINNED: {
    meaning: 'This version has no pinned package of the chosen agent, and none was named.',
    advice:
      'Name the package with `--agent-package` or `DOOMPI_SANDBOX_AGENT_PACKAGE`: `name@version`, or the path of a tarball made by `npm pack`.',
  },
  IMAGE_AGENT_PACKAGE_INVALID: {
    meaning: 'The agent package is neither a package of the npm registry nor a readable tarball of one.',
    advice:
      'Give `name@version`, or the path of a tarball made by `npm pack`. Git addresses, URLs and directories are not accepted.',
  },
  IMAGE_BUNDLE_MISSING: {
    meaning: 'A built file of this program that goes into the image is not there.',
    advice: 'Install the package again; in a clone of the repository run `pnpm build`.',
  },
  IMAGE_CERTIFICATES_UNREADABLE: {
    meaning:
      '`NODE_EXTRA_CA_CERTS` or `SSL_CERT_FILE` names a file that cannot be read. Its certificates would be missing in the container.',
    advice: 'Correct the variable or unset it.',
  },
  IMAGE_BUILD_FAILED: {
    meaning:
      "The engine could not build the image. The last lines of the builder's output come with the error. An image that was there before is unchanged.",
    advice:
      'Read the last lines. Without access to the registry of the base image, name one that the engine has with `--base-image`. Behind a proxy set `HTTPS_PROXY`; with a certificate authority of your own set `NODE_EXTRA_CA_CERTS`.',
  },
  IMAGE_NOT_LOADED: {
    meaning:
      'The builder reported success, but the engine does not have the image: the builder runs outside the engine and kept the result.',
    advice:
      'Choose a builder that loads into the engine (`docker buildx use default`, `BUILDX_BUILDER` unset), or set `DOCKER_BUILDKIT=0`.',
  },
  IMAGE_WRONG_PLATFORM: {
    meaning: 'The image under the tag is for another operating system or processor than the engine runs.',
    advice: 'Remove the image, and check the platform of the base image and `DOCKER_DEFAULT_PLATFORM`.',
  },
  IMAGE_PULL_FAILED: {
    meaning:
      'The base image could not be pulled, so the image was not refreshed. The image that was there before is unchanged and works.',
    advice:
      'Try again when the registry can be reached, or log in to it. `doompi-sandbox build --refresh --no-pull` rebuilds on the copy of the base image that the engine has.',
  },
};
