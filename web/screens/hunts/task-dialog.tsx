import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { createGrowTask, updateGrowTask } from '#contracts/calls/grow-tasks.ts'
import { type GrowTask, type Hunt, NewGrowTask } from '#contracts/hunts.ts'
import { refreshTasks } from '#web/entities/hunts/hunts.api.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { SelectField, TextField } from '#web/forms/fields.tsx'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { FormError } from '#web/ui/field.tsx'

type TaskValues = { title: string; huntId: string; dueOn: string; everyDays: string }

const check = standardSchemaResolver(NewGrowTask) as Resolver<object, unknown, NewGrowTask>
const resolver: Resolver<TaskValues, unknown, NewGrowTask> = async ({ title, dueOn, everyDays }, context, options) =>
  (await check({ title, dueOn, everyDays: everyDays === '' ? null : Number(everyDays) }, context, options as never)) as never

const rhythms = [
  ['', 'Once'],
  ['1', 'Every day'],
  ['2', 'Every 2 days'],
  ['3', 'Every 3 days'],
  ['7', 'Every week'],
  ['14', 'Every 2 weeks'],
] as const

type TaskDialogProps = {
  /** Null for a new task. */
  task: GrowTask | null
  hunts: readonly Hunt[]
  selectedId: string | undefined
  onOpenChange: (open: boolean) => void
}

export function TaskDialog({ task, hunts, selectedId, onOpenChange }: TaskDialogProps) {
  const client = useQueryClient()
  const formId = useId()
  const [failure, setFailure] = useState<string | null>(null)
  const everyDays = task?.everyDays === undefined || task.everyDays === null ? '' : String(task.everyDays)
  const first = hunts.find(({ id }) => id === selectedId) ?? hunts[0]
  const form = useForm<TaskValues, unknown, NewGrowTask>({
    defaultValues: { title: task?.title ?? '', huntId: task?.huntId ?? first?.id ?? '', dueOn: task?.dueOn ?? localDay(), everyDays },
    resolver,
    mode: 'onTouched',
  })
  const submit = form.handleSubmit(async ({ title, dueOn, everyDays: rhythm }) => {
    setFailure(null)
    try {
      const facts = { title, dueOn, everyDays: rhythm }
      if (task) await call(updateGrowTask, { params: { id: task.id }, body: { ...facts, version: task.version } })
      else {
        const id = form.getValues('huntId')
        await call(createGrowTask, { params: { id }, body: facts }, { idempotencyKey: creationKey(`task.${id}`, facts) })
        dropCreationKey(`task.${id}`)
      }
      onOpenChange(false)
      await refreshTasks(client)
    } catch (error) {
      setFailure(showServerErrors(form, error, ['title', 'dueOn', 'everyDays']))
      // Someone else has changed or deleted the task. Opening it again shows the current version.
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) await refreshTasks(client)
    }
  })
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title={task ? 'Edit task' : 'New task'}
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} pending={form.formState.isSubmitting} pendingText="Saving..." className="min-h-12">
              {task ? 'Save' : 'Add task'}
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
          <TextField control={form.control} name="title" label="Task" maxLength={200} autoComplete="off" />
          {!task && (
            <SelectField control={form.control} name="huntId" label="Hunt">
              {hunts.map(({ id, huntName }) => (
                <option key={id} value={id}>
                  {huntName}
                </option>
              ))}
            </SelectField>
          )}
          <div className="grid grid-cols-2 gap-4">
            <TextField control={form.control} name="dueOn" label="Due" type="date" />
            <SelectField control={form.control} name="everyDays" label="Repeats">
              {rhythms.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
              {!rhythms.some(([value]) => value === everyDays) && <option value={everyDays}>Every {everyDays} days</option>}
            </SelectField>
          </div>
          <FormError>{failure}</FormError>
        </form>
      </DialogContent>
    </Dialog>
  )
}
