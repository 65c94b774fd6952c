import { suggestBreeders, suggestStrains } from '#contracts/calls/search.ts'
import { call } from '#web/lib/call.ts'

const typed = (q: string) => ({ query: { q: q.slice(0, 80) } })

export const findStrains = (q: string, signal: AbortSignal) => call(suggestStrains, typed(q), { signal })
export const findBreeders = (q: string, signal: AbortSignal) => call(suggestBreeders, typed(q), { signal })
