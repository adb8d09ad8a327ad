/** What a diagnosis finds beside errors that a launch would meet. */
export type FindingCode =
  | 'base-image-missing'
  | 'broker-disabled'
  | 'credentials-missing'
  | 'engine-details-unknown'
  | 'files-perhaps-not-shared'
  | 'git-directory-outside'
  | 'home-is-repository'
  | 'image-missing'
  | 'image-outdated'
  | 'not-a-repository'
  | 'part-failed'
  | 'repository-read-only'
  | 'runtime-missing'
  | 'subordinate-ids-missing'
  | 'terminal-missing'
  | 'terminal-unknown';
