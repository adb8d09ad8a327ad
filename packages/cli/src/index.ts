export { runCommand } from './command.ts';
export type { CommandContext } from './context.ts';
export { main } from './main.ts';
export type { ProgressStream } from './progress.ts';
