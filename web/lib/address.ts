import type { Endpoint } from '../../contracts/endpoint.ts'

export type Input = { params?: unknown; query?: unknown; body?: unknown }

/** The address of a call: parameters filled in, absent values left out, in the order of the query object. */
export function addressOf(endpoint: Pick<Endpoint, 'path'>, input: Input): string {
  const params = (input.params ?? {}) as Record<string, string>
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  return query.size > 0 ? `${path}?${query}` : path
}

/** The key of a call in the query cache. Everything under an endpoint's path can be refreshed at once. */
export const queryKey = (endpoint: Pick<Endpoint, 'path'>, input: Input = {}) =>
  [endpoint.path, input.params ?? {}, input.query ?? {}] as const
