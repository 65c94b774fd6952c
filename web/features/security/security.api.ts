import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { getSecondFactor } from '../../../contracts/second-factor.ts'
import { call, queryKey } from '../../lib/call.ts'
import { currentUserOptions, refreshCurrentUser } from '../../lib/current-user.ts'

export const secondFactorOptions = queryOptions({
  queryKey: queryKey(getSecondFactor, {}),
  queryFn: ({ signal }) => call(getSecondFactor, {}, { signal }),
})

/** After a change of the second factor: what this session may do, and see, is another. */
export async function afterFactorChange(client: QueryClient): Promise<void> {
  await refreshCurrentUser()
  const [current] = currentUserOptions.queryKey
  await client.invalidateQueries({ predicate: ({ queryKey: [address] }) => address !== current })
}
