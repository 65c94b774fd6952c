import type { getCurrentUser } from '#contracts/accounts.endpoints.ts'

/** Repeated here without schemas, because importing the contract would add Zod to the first load. A test compares the two. */
export const currentUserCall = { method: 'GET', path: '/api/auth/user' } as unknown as typeof getCurrentUser
