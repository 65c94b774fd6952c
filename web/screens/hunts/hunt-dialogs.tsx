import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Lock, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { deleteHunt, getHunt, setHuntVisibility, shareHunt, unshareHunt, updateHunt } from '#contracts/calls/hunts.ts'
import type { HuntShare } from '#contracts/hunts.endpoints.ts'
import type { Hunt, ShareAccess } from '#contracts/hunts.ts'
import { findPeople, refreshHunts, refreshShares, sharesOptions } from '#web/entities/hunts/hunts.api.ts'
import { PersonField } from '#web/entities/people/person-field.tsx'
import { refreshPlants } from '#web/entities/plants/plants.api.ts'
import { TextField } from '#web/forms/fields.tsx'
import { LoadLatest } from '#web/forms/form-dialog.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { isConflict, showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog, Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Select } from '#web/ui/select.tsx'
import { SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { type HuntFacts, HuntFactsFields, type HuntValues, huntFactsResolver, valuesOf } from './hunt-facts-fields.tsx'

type LeaveHuntDialogProps = { hunt: Hunt; open: boolean; onOpenChange: (open: boolean) => void; onLeft: () => void }

export function LeaveHuntDialog({ hunt, open, onOpenChange, onLeft }: LeaveHuntDialogProps) {
  const client = useQueryClient()
  const user = useCurrentUser()
  const leaving = useMutation({
    mutationFn: () => call(unshareHunt, { params: { id: hunt.id, personId: user?.id ?? '' } }),
    onSuccess: async () => {
      toast({ title: 'You left the hunt', description: hunt.huntName })
      onOpenChange(false)
      onLeft()
      await refreshHunts(client)
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Leave “${hunt.huntName}”?`}
      confirmText="Leave hunt"
      pending={leaving.isPending}
      onConfirm={() => leaving.mutate()}
    >
      <p>
        You won’t be able to see it anymore unless it’s public. What you wrote won’t be deleted. {hunt.owner.name} can share it with you
        again.
      </p>
    </ConfirmDialog>
  )
}

type DeleteHuntDialogProps = { hunt: Hunt; open: boolean; onOpenChange: (open: boolean) => void; onDeleted: () => void }

/** Accepts x for ×, which phones' keyboards don't have, and any case and spacing. */
const plainName = (name: string) => name.normalize('NFKC').toLowerCase().replaceAll('×', 'x').replaceAll(/\s/g, '')
export const isSameName = (typed: string, name: string): boolean => plainName(typed) === plainName(name)

/** A hunt is months of work and can't be restored, so people have to type its name. */
export function DeleteHuntDialog({ hunt, open, onOpenChange, onDeleted }: DeleteHuntDialogProps) {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const { counts, huntName } = hunt
  const deleting = useMutation({
    mutationFn: () => call(deleteHunt, { params: { id: hunt.id } }),
    onSuccess: async () => {
      toast({ title: 'Hunt deleted', description: huntName })
      onOpenChange(false)
      onDeleted()
      await refreshHunts(client)
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
  })
  const confirm = () => (isSameName(typed, huntName) ? deleting.mutate() : setWrong(true))
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        role="alertdialog"
        title={`Delete “${huntName}”?`}
        onPointerDownOutside={(event) => event.preventDefault()}
        actions={
          <>
            <DialogCancel />
            <Button variant="danger" onClick={confirm} pending={deleting.isPending} pendingText="Deleting...">
              Delete hunt
            </Button>
          </>
        }
      >
        <div className="grid gap-4">
          <p className="text-muted">
            {counted(counts.genotypes, 'pheno')}, {counted(counts.livingPlants, 'living plant')} and {counted(counts.logs, 'log')} will be
            deleted, along with photos, scores, harvests and decisions, for everyone it’s shared with. You can’t undo this.
          </p>
          <p>
            <Link
              to="/pheno-hunt/$id"
              params={{ id: hunt.id }}
              search={{ section: 'archive' }}
              onClick={() => onOpenChange(false)}
              className={textLink}
            >
              Export it first
            </Link>{' '}
            to keep a copy you can import later.
          </p>
          <Field
            label={`Type “${huntName}” to confirm`}
            error={isWrong && !isSameName(typed, huntName) ? 'This isn’t the name of the hunt' : undefined}
          >
            <Input
              value={typed}
              autoComplete="off"
              onChange={(event) => {
                setTyped(event.target.value)
                setWrong(false)
              }}
              onKeyDown={(event) => event.key === 'Enter' && confirm()}
            />
          </Field>
        </div>
      </DialogContent>
    </Dialog>
  )
}

type EditHuntDialogProps = { hunt: Hunt; open: boolean; onOpenChange: (open: boolean) => void }

const fields: (keyof HuntValues)[] = ['huntName', 'seedCount', 'breeders', 'growEnvironment', 'germinationDate', 'goals', 'plantLimit']

/** Changing the seed count doesn't affect the hunt's plants. Changing the germination date moves the seeds that started on it. */
export function EditHuntDialog({ hunt: opened, open, onOpenChange }: EditHuntDialogProps) {
  const client = useQueryClient()
  const formId = useId()
  // The hunt as opened or, after a conflict, as someone else saved it.
  const [hunt, setHunt] = useState(opened)
  const subject = `hunt.${hunt.id}.${hunt.version}`
  const [defaultValues] = useState(() => withDraft(subject, valuesOf(hunt)))
  const form = useForm<HuntValues, unknown, HuntFacts>({ defaultValues, resolver: huntFactsResolver, mode: 'onTouched' })
  const dropDraft = useDraft(form, subject, [], valuesOf(hunt))
  const [failure, setFailure] = useState<string | null>(null)
  const [isOutdated, setOutdated] = useState(false)

  const submit = form.handleSubmit(async (facts) => {
    setFailure(null)
    try {
      await call(updateHunt, { params: { id: hunt.id }, body: { ...facts, version: hunt.version } })
      dropDraft()
      toast({ title: 'Hunt saved', description: facts.huntName ?? hunt.huntName })
      onOpenChange(false)
      await refreshPlants(client)
    } catch (error) {
      setOutdated(isConflict(error))
      setFailure(showServerErrors(form, error, fields))
    }
  })

  async function showCurrent() {
    try {
      const current = await call(getHunt, { params: { id: hunt.id } })
      setHunt(current)
      form.reset(valuesOf(current))
      setFailure(null)
    } catch (error) {
      setOutdated(false)
      setFailure(messageOf(error))
    }
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        size="md"
        title="Edit hunt"
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} pending={form.formState.isSubmitting} pendingText="Saving..." className="min-h-12">
              Save
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
          <TextField control={form.control} name="huntName" label="Hunt name" maxLength={120} autoComplete="off" />
          <TextField
            control={form.control}
            name="seedCount"
            label="Seeds"
            inputMode="numeric"
            autoComplete="off"
            hint={`Numbered so far: ${formatNumber(hunt.counts.genotypes)}. Add more on the hunt’s page.`}
          />
          <HuntFactsFields control={form.control} />
          <FormError action={isOutdated && <LoadLatest onLoad={() => void showCurrent()} />}>
            {failure && (isOutdated ? 'Someone else changed this hunt in the meantime.' : failure)}
          </FormError>
        </form>
      </DialogContent>
    </Dialog>
  )
}

type ShareDialogProps = { hunt: Hunt; open: boolean; onOpenChange: (open: boolean) => void }

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
      // The removed row had focus, so move it to the field.
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

  /** Includes a choice that is still being saved. */
  const chosenAccess = ({ person, access }: HuntShare) =>
    share.isPending && share.variables.personId === person.id ? share.variables.access : access

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="md" title={`Share “${hunt.huntName}”`}>
        <div className="grid gap-6">
          {!isPublic && (
            <p className="flex gap-3 rounded-input bg-sunk px-3.5 py-3 text-sm [&_svg]:mt-0.5 [&_svg]:size-4.5 [&_svg]:shrink-0">
              <Lock aria-hidden="true" />
              <span>Private. Only you and the people below can see this hunt, including its name, plants, logs and photos.</span>
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
              // `disabled` would make the control lose focus while saving.
              aria-busy={visibility.isPending}
              onChange={(event) => !visibility.isPending && visibility.mutate(event.target.checked)}
              hint="Anyone signed in can see this hunt’s plants, logs, photos, scores, harvests and decisions, and comment. Only you and people who can edit can change anything. Tasks, the plant limit and who it’s shared with remain hidden."
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
