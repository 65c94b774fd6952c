/**
 * What the authorities' words for a license's status mean for whoever looks for a business. "Listed" is a license in force,
 * "inactive" anything that speaks against walking in: not yet granted, paused, ended.
 */
export type Standing = 'listed' | 'inactive'

const listed = [
  'active',
  'active (issued)',
  'active-operating',
  'active-pending inspection',
  'complete',
  'operating',
  'operational',
  'issued',
  'approved',
  'current',
  'licensed',
  'open',
  'renewed',
]

const inactive = [
  'inactive',
  'suspended',
  'license void',
  'void',
  'non-operational',
  'not operating',
  'payment_pending',
  'active title certificate',
  'expired',
  'revoked',
  'surrendered',
  'canceled',
  'cancelled',
  'closed',
  'denied',
  'withdrawn',
  'terminated',
  'pending',
  'provisional',
  'conditional',
]

/** Where a state uses a common word for something else. In Alaska an application is "complete", then "delegated" for approval. */
const byState: Record<string, Standing> = { 'AK complete': 'inactive', 'AK delegated': 'inactive' }

const standings = new Map<string, Standing>([
  ...listed.map((status) => [status, 'listed'] as const),
  ...inactive.map((status) => [status, 'inactive'] as const),
])

/** Null for a word that is not in the table: it counts as listed, is shown as it is, and the import says so. */
export function standingOf(status: string, state: string): Standing | null {
  const word = status.trim().toLowerCase().replace(/\s+/g, ' ')
  // Nine states' files name no status: being in the register is all they say.
  if (word === '') return 'listed'
  return byState[`${state} ${word}`] ?? standings.get(word) ?? null
}
