import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { setGroupHours } from '#contracts/calls/groups.ts'
import { listLocations } from '#contracts/calls/locations.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import type { GroupedBusiness } from '#contracts/groups.endpoints.ts'
import type { WeeklyHours } from '#contracts/locations.ts'
import { weekLines } from '#web/entities/locations/hours-words.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, refreshCalls } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { FieldGroup, FormError } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { refreshGroups } from './groups.api.ts'

type Hours = InputOf<typeof setGroupHours>['body']['businesses']

const isSame = (one: WeeklyHours | null, other: WeeklyHours | null) => JSON.stringify(one) === JSON.stringify(other)

type HoursDialogProps = { groupId: string; businesses: readonly GroupedBusiness[]; fromId: string; onClose: () => void }

/** Copies weekly hours to other businesses of a group. Shows what each has now, and can be undone. */
export function HoursDialog({ groupId, businesses, fromId, onClose }: HoursDialogProps) {
  const client = useQueryClient()
  const from = businesses.find(({ id }) => id === fromId)
  const hours = from?.hours ?? null
  const others = businesses.filter(({ id, hours: own }) => id !== fromId && !isSame(own, hours))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(others.map(({ id }) => id)))
  const set = useMutation({
    mutationFn: (changes: Hours) => call(setGroupHours, { params: { id: groupId }, body: { businesses: changes } }),
    onSuccess: async ({ before }, changes) => {
      const isUndo = changes.some((each) => !isSame(each.hours, hours))
      toast(
        isUndo
          ? { title: 'Hours restored' }
          : { title: `Hours of ${counted(changes.length, 'shop')} changed`, action: { label: 'Undo', onClick: () => set.mutate(before) } },
      )
      onClose()
      await Promise.all([refreshGroups(client), refreshCalls(client, [listLocations])])
    },
    onError: (error) => toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' }),
  })
  if (!from || !hours) return null
  const changes = others.flatMap(({ id }) => (chosen.has(id) ? [{ businessId: id, hours }] : []))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Copy the hours of ${from.label}`}
        description="Weekly hours are replaced. Special days and time zones stay."
        actions={
          <>
            <DialogCancel />
            <Button disabled={changes.length === 0} pending={set.isPending} pendingText="Copying..." onClick={() => set.mutate(changes)}>
              Copy to {counted(changes.length, 'shop')}
            </Button>
          </>
        }
      >
        <div className="grid gap-5">
          <Week hours={hours} />
          {others.length === 0 ? (
            <p className="text-muted">All shops of this group have these hours.</p>
          ) : (
            <FieldGroup legend="Copy to">
              {others.map((shop) => (
                <Checkbox
                  key={shop.id}
                  checked={chosen.has(shop.id)}
                  onChange={({ target }) =>
                    setChosen((before) => new Set(target.checked ? [...before, shop.id] : [...before].filter((id) => id !== shop.id)))
                  }
                  hint={`Now: ${shop.hours ? weekWords(shop.hours) : 'no hours'}`}
                >
                  {shop.label}
                </Checkbox>
              ))}
            </FieldGroup>
          )}
          {set.error && <FormError>{messageOf(set.error)}</FormError>}
        </div>
      </DialogContent>
    </Dialog>
  )
}

const weekWords = (hours: WeeklyHours): string =>
  weekLines(hours)
    .map(({ days, words }) => `${days} ${words}`)
    .join(', ')

const Week = ({ hours }: { hours: WeeklyHours }) => (
  <dl className="grid gap-1 rounded-input bg-sunk px-4 py-3 text-sm tabular-nums">
    {weekLines(hours).map(({ days, words }) => (
      <div key={days} className="flex flex-wrap justify-between gap-x-4">
        <dt className="font-normal text-muted">{days}</dt>
        <dd>{words}</dd>
      </div>
    ))}
  </dl>
)
