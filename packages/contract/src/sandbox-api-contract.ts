import { defineApiContract, type ApiContract } from './api-contract.ts';

/** The sandbox's own contract: it offers no operation to a server. */
export const sandboxApiContract: ApiContract = defineApiContract({ version: 1, http: [], sockets: [], dynamic: [] });
