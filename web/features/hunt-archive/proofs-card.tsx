import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Stamp } from 'lucide-react'
import { useId } from 'react'
import { type HuntProof, proveHunt } from '../../../contracts/hunt-archive.ts'
import type { Hunt } from '../../../contracts/hunts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { dateFormat, formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonGroup, SkeletonText } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { proofsOptions } from './hunt-archive.api.ts'

/** That this hunt was what it is on a day, without showing anybody what it is. */
export function ProofsCard({ hunt }: { hunt: Hunt }) {
  const client = useQueryClient()
  const id = useId()
  const { data: proofs, error, refetch, isFetching } = useQuery(proofsOptions(hunt.id))
  const proving = useMutation({
    mutationFn: () => call(proveHunt, { params: { id: hunt.id } }),
    onSuccess: async (proof) => {
      const isOld = proofs?.some((each) => each.id === proof.id)
      await client.invalidateQueries({ queryKey: proofsOptions(hunt.id).queryKey })
      toast(isOld ? { title: 'Nothing changed since the last proof' } : { title: 'Proof kept' })
    },
    onError: (failure) => toast({ title: 'The proof could not be made', description: messageOf(failure), variant: 'destructive' }),
  })
  return (
    <Card asChild className="lg:col-span-2">
      <section aria-labelledby={`${id}-title`}>
        <CardBody className="grid gap-3">
          <h3 id={`${id}-title`} className="flex items-center gap-2 text-lg">
            <Stamp aria-hidden="true" className="size-5 text-leaf" />
            Proof of date
          </h3>
          <p className="max-w-text">
            Keeps a fingerprint (SHA-256) of the hunt with the time, in a log that cannot be changed without notice. Export the hunt at the
            same moment and keep the file: whoever has it can check here that it existed on that day, without learning anything else.
          </p>
          <p className="max-w-text text-muted text-sm">
            It is this server’s word. Where more is needed, have the fingerprint stamped by a time-stamping authority or a notary as well.
          </p>
          {hunt.abilities.own && (
            <div>
              <Button variant="secondary" pending={proving.isPending} onClick={() => proving.mutate()}>
                Keep a proof of today
              </Button>
            </div>
          )}
          {proofs ? (
            <Proofs proofs={proofs} />
          ) : error ? (
            <ErrorState
              level={3}
              title="The proofs could not be loaded"
              description={messageOf(error)}
              onRetry={() => void refetch()}
              pending={isFetching}
            />
          ) : (
            <SkeletonGroup label="Loading proofs...">
              <SkeletonText lines={2} />
            </SkeletonGroup>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

const moment = dateFormat({ dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

function Proofs({ proofs }: { proofs: HuntProof[] }) {
  if (proofs.length === 0) return <p className="text-muted">No proof yet.</p>
  return (
    <ul className="divide-y divide-line border-line border-t">
      {proofs.map(({ id, madeAt, contentHash, auditSequence, auditHash }) => (
        <li key={id} className="grid gap-1 py-3 text-sm">
          <p className="font-medium">{moment.format(new Date(madeAt))} UTC</p>
          <p className="font-mono text-muted wrap-anywhere">{contentHash}</p>
          <p className="text-muted">
            Entry {formatNumber(auditSequence)} of the log, <span className="font-mono wrap-anywhere">{auditHash.slice(0, 16)}…</span>
          </p>
        </li>
      ))}
    </ul>
  )
}
