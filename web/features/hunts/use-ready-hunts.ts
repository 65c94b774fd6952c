import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Hunt } from '../../../contracts/hunts.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { whenKeeping } from '../offline/shell.ts'

const mostReady = 3

/**
 * Whoever sees their hunts upstairs goes down to the plants next: the newest active ones work there without a network, opened before or
 * not. Only where answers are kept at all.
 */
export function useReadyHunts(hunts: readonly Hunt[]): void {
  const client = useQueryClient()
  const account = useCurrentUser()?.id
  const ids = hunts
    .filter(({ isActive, abilities }) => isActive && abilities.write)
    .slice(0, mostReady)
    .map(({ id }) => id)
    .join(' ')
  useEffect(() => {
    if (!account || ids === '') return
    whenKeeping(account, () => void ready(ids.split(' ')).catch(() => undefined))
    async function ready(each: readonly string[]) {
      const { readyHunt } = await import('./ready-hunt.ts')
      for (const id of each) await readyHunt(client, id)
    }
  }, [client, account, ids])
}
