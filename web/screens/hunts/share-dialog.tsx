import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Lock, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { setHuntVisibility, shareHunt, unshareHunt } from '#contracts/calls/hunts.ts'
import type { HuntShare } from '#contracts/hunts.endpoints.ts'
import type { Hunt, ShareAccess } from '#contracts/hunts.ts'
import { findPeople, refreshHunts, refreshShares, sharesOptions } from '#web/entities/hunts/hunts.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { PersonField } from '#web/ui/person-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast-store.ts'

type ShareDialogProps = { hunt: Hunt; open: boolean; onOpenChange: (open: boolean) => void }

/** Shares a hunt with people or publishes it. Changes take effect immediately. */
export function ShareDialog({ hunt, open, onOpenChange }: ShareDialogProps) {
  const client = useQueryClient()
  const shares = useQuery(sharesOptions(hunt.id))
  const [isPublic, setPublic] = useState(hunt.visibility === 'public')
  const refresh = () => Promise.all([refreshShares(client), refreshHunts(client)])
  const people = useRef<HTMLElement>(null)
  const failed = (error: unknown) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
  const share = useMutation({
    mutationFn: ({ personId, access }: { personId: string; access: ShareAccess }) =>
      call(shareHunt, { params: { id: hunt.id, personId }, body: { access } }),
    onSuccess: () => refresh(),
    onError: failed,
  })
  const unshare = useMutation({
    mutationFn: (personId: string) => call(unshareHunt, { params: { id: hunt.id, personId } }),
    onSuccess: async () => {
      await refresh()
      // The removed row had the focus.
      people.current?.querySelector('input')?.focus()
    },
    onError: failed,
  })
  const visibility = useMutation({
    mutationFn: (next: boolean) => call(setHuntVisibility, { params: { id: hunt.id }, body: { visibility: next ? 'public' : 'private' } }),
    onMutate: (next) => setPublic(next),
    onSuccess: ({ visibility: now }) => {
      toast({ title: now === 'public' ? 'The hunt is public' : 'The hunt is private again' })
      return refresh()
    },
    onError: (error, next) => {
      setPublic(!next)
      failed(error)
    },
  })

  /** Shows the pending choice while it is being saved. */
  const chosenAccess = ({ person, access }: HuntShare) =>
    share.isPending && share.variables.personId === person.id ? share.variables.access : access

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="md" title={`Share “${hunt.huntName}”`}>
        <div className="grid gap-6">
          {!isPublic && (
            <p className="flex gap-3 rounded-input bg-sunk px-3.5 py-3 text-sm [&_svg]:mt-0.5 [&_svg]:size-4.5 [&_svg]:shrink-0">
              <Lock aria-hidden="true" />
              <span>
                Private. Only you and the people below can see that this hunt exists, including its name, plants, logs and photos.
              </span>
            </p>
          )}
          <section ref={people} aria-label="People" className="grid gap-3">
            <PersonField
              label="Add a person"
              hint="Someone you follow or who follows you. We’ll notify them."
              loadOptions={findPeople(hunt.id)}
              onSelect={({ id }) => share.mutate({ personId: id, access: 'view' })}
            />
            {shares.isPending && (
              <SkeletonGroup label="Loading people...">
                <SkeletonRow />
              </SkeletonGroup>
            )}
            {shares.isError && !shares.data && <LoadError level={3} title="The people couldn’t be loaded" query={shares} />}
            {shares.data?.length === 0 && <p className="text-muted text-sm">Not shared with anyone.</p>}
            {shares.data && shares.data.length > 0 && (
              <ul className="divide-y divide-line">
                {shares.data.map((each) => (
                  <ShareRow
                    key={each.person.id}
                    share={{ ...each, access: chosenAccess(each) }}
                    onAccess={(access) => share.mutate({ personId: each.person.id, access })}
                    onRemove={() => unshare.mutate(each.person.id)}
                  />
                ))}
              </ul>
            )}
          </section>
          <section className="grid gap-2 border-line border-t pt-5">
            <Switch
              checked={isPublic}
              // `disabled` would drop the focus while saving.
              aria-busy={visibility.isPending}
              onChange={(event) => !visibility.isPending && visibility.mutate(event.target.checked)}
              hint="Anyone signed in can see its plants, logs, photos, scores, harvests and decisions, and comment. Only you and people who can edit can change anything. Tasks, the plant limit and who it’s shared with stay hidden."
            >
              Public
            </Switch>
          </section>
        </div>
      </DialogContent>
    </Dialog>
  )
}

type ShareRowProps = { share: HuntShare; onAccess: (access: ShareAccess) => void; onRemove: () => void }

const ShareRow = ({ share: { person, access }, onAccess, onRemove }: ShareRowProps) => (
  <li className="flex items-center gap-3 py-2.5">
    <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} size="sm" />
    <Link to="/people/$id" params={{ id: person.id }} className="min-w-0 flex-1 truncate font-medium hover:underline">
      {person.name}
    </Link>
    <Select
      aria-label={`Access for ${person.name}`}
      value={access}
      onChange={(event) => onAccess(event.target.value as ShareAccess)}
      className="w-32 shrink-0"
    >
      <option value="view">Can view</option>
      <option value="write">Can edit</option>
    </Select>
    <IconButton label={`Stop sharing with ${person.name}`} size="sm" onClick={onRemove}>
      <X aria-hidden="true" />
    </IconButton>
  </li>
)
