import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { changeHunt, getHunt, type Hunt } from '../../../contracts/hunts.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field.tsx'
import { toast } from '../../ui/toast-store.ts'
import { TextField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { showServerErrors } from '../accounts/server-errors.ts'
import { HuntFactsFields } from './hunt-facts-fields.tsx'
import { type HuntFacts, type HuntValues, huntFactsResolver, valuesOf } from './hunt-values.ts'
import { refreshHunts } from './hunts.api.ts'

type EditHuntDialogProps = { hunt: Hunt; open: boolean; onOpenChange: (open: boolean) => void }

const fields: (keyof HuntValues)[] = ['huntName', 'seedCount', 'breeders', 'growEnvironment', 'germinationDate', 'goals', 'plantLimit']

/** The facts of a hunt. Its plants stay as they are, whatever the number of seeds says. */
export function EditHuntDialog({ hunt: opened, open, onOpenChange }: EditHuntDialogProps) {
  const client = useQueryClient()
  const formId = useId()
  // The one that was opened, or, after a conflict, the one that somebody else made of it.
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
            hint={`As stated. ${formatNumber(hunt.counts.genotypes)} are numbered; more are added on the hunt's page.`}
          />
          <HuntFactsFields control={form.control as never} />
          {failure !== null && (
            <div role="alert" className="grid justify-items-start gap-2">
              <FieldError>{isConflict ? 'Somebody else has changed this hunt in the meantime.' : messageOf(failure)}</FieldError>
              {isConflict && (
                <Button variant="secondary" size="sm" onClick={() => void showCurrent()}>
                  Show it as it is now
                </Button>
              )}
            </div>
          )}
        </form>
      </DialogContent>
    </Dialog>
  )
}
