import type { Payer } from './billing.api.ts'

type Named = { id: string; slug: string; name: string }

/** Whose billing a section is about. `businesses` are those that the person owns: a plan without one can be given to it. */
export type Scope = { kind: 'own'; businesses: readonly Named[] } | { kind: 'business'; business: Named }

export const payerOf = (scope: Scope): Payer => (scope.kind === 'business' ? { business: scope.business.id } : {})
