import type { Call } from '#contracts/endpoint.ts'

export type Input = { params?: unknown; query?: unknown; body?: unknown }

/** Builds a call's URL: fills in path parameters and omits absent query values, in the order of the query object. */
export function addressOf(endpoint: Pick<Call, 'path'>, input: Input): string {
  const params = (input.params ?? {}) as Record<string, string>
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  return query.size > 0 ? `${path}?${query}` : path
}

/** Query cache key of a call. All calls of an endpoint share its path as a prefix, so they can be invalidated together. */
export const queryKey = (endpoint: Pick<Call, 'path'>, input: Input = {}) => [endpoint.path, input.params ?? {}, input.query ?? {}] as const
