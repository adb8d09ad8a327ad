/** Of relative paths, those that do not lie below another one of them. */
export const outermost = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
