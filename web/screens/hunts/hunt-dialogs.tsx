import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { changeHunt, deleteHunt, getHunt, unshareHunt } from '#contracts/calls/hunts.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { TextField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog, Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FieldError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
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
      <p>You won’t be able to see it anymore. What you wrote stays. {hunt.owner.name} can share it with you again.</p>
    </ConfirmDialog>
  )
}

type DeleteHuntDialogProps = { hunt: Hunt; open: boolean; onOpenChange: (open: boolean) => void; onDeleted: () => void }

const isSame = (typed: string, name: string) => typed.trim().toLowerCase() === name.trim().toLowerCase()

/** Requires typing the name: a hunt is months of work and can't be restored. */
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
  const confirm = () => (isSame(typed, huntName) ? deleting.mutate() : setWrong(true))
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
            <Link to="/pheno-hunt/$id" params={{ id: hunt.id }} search={{ section: 'archive' }} className={textLink}>
              Export it first
            </Link>{' '}
            to keep a copy you can import later.
          </p>
          <Field
            label={`Type “${huntName}” to confirm`}
            error={isWrong && !isSame(typed, huntName) ? 'This isn’t the name of the hunt' : undefined}
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

/** Edits a hunt's facts. Changing the seed count doesn't affect its plants. */
export function EditHuntDialog({ hunt: opened, open, onOpenChange }: EditHuntDialogProps) {
  const client = useQueryClient()
  const formId = useId()
  // The hunt as opened or, after a conflict, as someone else saved it.
  const [hunt, setHunt] = useState(opened)
  const subject = `hunt.${hunt.id}.${hunt.version}`
  const [defaultValues] = useState(() => withDraft(subject, valuesOf(hunt)))
  const form = useForm<HuntValues, unknown, HuntFacts>({ defaultValues, resolver: huntFactsResolver, mode: 'onTouched' })
  const dropDraft = useDraft(form, subject)
  const [failure, setFailure] = useState<unknown>(null)
  const isConflict = failure instanceof ApiError && failure.code === 'conflict'

  const submit = form.handleSubmit(async (facts) => {
    setFailure(null)
    try {
      await call(changeHunt, { params: { id: hunt.id }, body: { ...facts, version: hunt.version } })
      dropDraft()
      toast({ title: 'Hunt saved', description: facts.huntName ?? hunt.huntName })
      onOpenChange(false)
      await refreshHunts(client)
    } catch (error) {
      if (!showServerErrors(form, error, fields)) setFailure(error)
    }
  })

  async function showCurrent() {
    try {
      const current = await call(getHunt, { params: { id: hunt.id } })
      setHunt(current)
      form.reset(valuesOf(current))
      setFailure(null)
    } catch (error) {
      setFailure(error)
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
            hint={`As entered. ${formatNumber(hunt.counts.genotypes)} are numbered. Add more on the hunt’s page.`}
          />
          <HuntFactsFields control={form.control as never} />
          {failure !== null && (
            <div role="alert" className="grid justify-items-start gap-2">
              <FieldError>{isConflict ? 'Someone else changed this hunt in the meantime.' : messageOf(failure)}</FieldError>
              {isConflict && (
                <Button variant="secondary" size="sm" onClick={() => void showCurrent()}>
                  Load the latest version
                </Button>
              )}
            </div>
          )}
        </form>
      </DialogContent>
    </Dialog>
  )
}
