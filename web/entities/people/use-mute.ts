import { useQueryClient } from '@tanstack/react-query'
import { muteBusiness, mutePerson, unmuteBusiness, unmutePerson } from '#contracts/calls/mutes.ts'
import { useBlocking } from '#web/entities/businesses/block-business.ts'
import { call } from '#web/lib/call.ts'

export type Muted = { kind: 'person' | 'business'; id: string; name: string }

/** Mutes and unmutes; a mute can be undone from its toast. Refetches everything, because any feed may include their posts. */
export function useMute({ kind, id, name }: Muted) {
  const client = useQueryClient()
  const input = { params: { id } }
  const { setBlocked, isPending } = useBlocking({
    name: `mute:${id}`,
    save: (isMuted) =>
      kind === 'person' ? call(isMuted ? mutePerson : unmutePerson, input) : call(isMuted ? muteBusiness : unmuteBusiness, input),
    done: (isMuted) => (isMuted ? `You muted ${name}` : `You unmuted ${name}`),
    failed: (isMuted) => (isMuted ? `${name} couldn’t be muted` : `${name} couldn’t be unmuted`),
    onSaved: () => void client.invalidateQueries(),
  })
  return { setMuted: setBlocked, isPending }
}
