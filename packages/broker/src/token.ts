import { hash, randomBytes } from 'node:crypto';

/** A new session token: the prefix and 32 random bytes as base64url. */
export const mintToken = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`;

/** SHA-256 of a token. Looking up by digest takes a time that says nothing about the tokens that exist. */
export const tokenDigest = (token: string): string => hash('sha256', token, 'hex');

/** Long runs of token characters, percent-encoded or not, and anything that starts as keys do. */
const TOKEN_SHAPED = /(?:[A-Za-z0-9_-]|%[0-9A-Fa-f]{2}){40,}|sk-[A-Za-z0-9_-]{8,}/g;

/** Replaces everything in a text that could be a token or a key. */
export const withoutTokens = (text: string): string => text.replace(TOKEN_SHAPED, '***');
