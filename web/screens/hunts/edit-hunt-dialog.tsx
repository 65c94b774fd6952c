import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { changeHunt, getHunt, type Hunt } from '#contracts/hunts.ts'
import { refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { TextField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { HuntFactsFields } from './hunt-facts-fields.tsx'
import { type HuntFacts, type HuntValues, huntFactsResolver, valuesOf } from './hunt-values.ts'

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
