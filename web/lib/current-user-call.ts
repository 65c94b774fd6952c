import type { getCurrentUser } from '../../contracts/accounts.ts'

/** Named here without its schemas: importing the contract would put Zod into every first load. A test holds the two together. */
export const currentUserCall = { method: 'GET', path: '/api/auth/user' } as unknown as typeof getCurrentUser
