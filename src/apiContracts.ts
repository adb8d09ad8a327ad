export { sandboxApiContract as apiContracts, sandboxApiContract as default } from '@doompi-sandbox/contract';
