import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { entryActions, type PendingWrite } from './use-outbox.ts'
import { inputKind, typedValue, versionsOf, words } from './versions.ts'

/** Corrects a held entry, field by field, and sends it. In a conflict the other version stands under each field. */
export function CorrectForm({ write, onDone }: { write: PendingWrite; onDone: () => void }) {
  const fields = versionsOf(write).flatMap((field) => {
    const kind = inputKind(field)
    return kind ? [{ ...field, kind }] : []
  })
  const [typed, setTyped] = useState(() => Object.fromEntries(fields.map(({ name, mine }) => [name, String(mine ?? '')])))
  const problems = write.hold?.kind === 'refused' ? write.hold.fields : {}

  async function send(event: FormEvent) {
    event.preventDefault()
    await entryActions.keepMine(write.id, Object.fromEntries(fields.map(({ name, kind }) => [name, typedValue(kind, typed[name] ?? '')])))
    onDone()
  }

  return (
    <form onSubmit={(event) => void send(event)} className="grid gap-3" noValidate>
      {fields.map(({ name, label, kind, theirs, isDifferent }) => {
        const control = {
          value: typed[name] ?? '',
          onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [name]: target.value }),
        }
        return (
          <Field key={name} label={label} error={problems[name]} hint={isDifferent ? `Theirs: ${words(theirs)}` : undefined}>
            {kind === 'number' ? <Input inputMode="decimal" className="min-h-12" {...control} /> : <Textarea rows={2} {...control} />}
          </Field>
        )
      })}
      <div className="flex flex-wrap gap-2">
        <Button size="lg" type="submit">
          Save and send
        </Button>
        <Button size="lg" variant="secondary" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
