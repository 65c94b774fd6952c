import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useController, useForm } from 'react-hook-form'
import { createKey, listKeys } from '#contracts/calls/keys.ts'
import { type KeyScope, keyScopes } from '#contracts/choices.ts'
import { NewKey } from '#contracts/keys.ts'
import type * as z from '#contracts/zod.ts'
import { TextField } from '#web/forms/fields.tsx'
import { isSignedOut, showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, refreshCalls } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field, FieldGroup } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { scopeWords } from './key-words.ts'

type Values = z.output<typeof NewKey>

const empty: Values = { name: '', scopes: [...keyScopes], expiresInDays: null }

const expiries = [
  { days: null, words: 'Never' },
  { days: 30, words: '30 days' },
  { days: 90, words: '90 days' },
  { days: 365, words: '1 year' },
]

/** Creates a key and shows its secret once. */
export function NewKeyForm({ businessId }: { businessId: string }) {
  const client = useQueryClient()
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null)
  const form = useForm<z.input<typeof NewKey>, unknown, Values>({
    defaultValues: empty,
    resolver: standardSchemaResolver(NewKey),
    mode: 'onTouched',
  })
  const scopes = useController({ control: form.control, name: 'scopes' })
  const expiry = useController({ control: form.control, name: 'expiresInDays' })
  const toggle = (scope: KeyScope, isOn: boolean) =>
    scopes.field.onChange(keyScopes.filter((each) => (each === scope ? isOn : scopes.field.value.includes(each))))

  const submit = form.handleSubmit(async (body) => {
    try {
      const { key, secret } = await call(createKey, { params: { id: businessId }, body })
      setMade({ name: key.name, secret })
      form.reset(empty)
      await refreshCalls(client, [listKeys])
    } catch (error) {
      if (!showServerErrors(form, error, ['name', 'scopes'])) form.setError('name', { message: messageOf(error) }, { shouldFocus: true })
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <Card asChild>
      <section aria-labelledby="new-key">
        <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {made ? (
            <Secret name={made.name} secret={made.secret} onDone={() => setMade(null)} />
          ) : (
            <>
              <h3 id="new-key" className="text-lg">
                Create a key
              </h3>
              <form noValidate onSubmit={submit} aria-label="New key" className="grid gap-4">
                <TextField
                  control={form.control}
                  name="name"
                  label="Name"
                  hint="The system that will use it, such as “Front register”"
                  autoComplete="off"
                  maxLength={60}
                />
                <FieldGroup legend="What it may do" error={scopes.fieldState.error?.message}>
                  {keyScopes.map((scope) => (
                    <Checkbox
                      key={scope}
                      hint={scopeWords[scope].help}
                      checked={scopes.field.value.includes(scope)}
                      onChange={(event) => toggle(scope, event.target.checked)}
                    >
                      {scopeWords[scope].title}
                    </Checkbox>
                  ))}
                </FieldGroup>
                <Field label="Expires">
                  <Select
                    value={expiry.field.value ?? ''}
                    onChange={(event) => expiry.field.onChange(event.target.value === '' ? null : Number(event.target.value))}
                  >
                    {expiries.map(({ days, words }) => (
                      <option key={words} value={days ?? ''}>
                        {words}
                      </option>
                    ))}
                  </Select>
                </Field>
                <Button type="submit" pending={form.formState.isSubmitting} pendingText="Creating...">
                  Create key
                </Button>
              </form>
            </>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

function Secret({ name, secret, onDone }: { name: string; secret: string; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const field = useRef<HTMLInputElement>(null)
  // The form that had focus is gone.
  useEffect(() => heading.current?.focus(), [])
  async function copy() {
    try {
      await navigator.clipboard.writeText(secret)
      toast({ title: 'Copied' })
    } catch {
      // The clipboard requires https.
      field.current?.select()
      toast({ title: 'Copy it from your keyboard', description: 'The key is selected.' })
    }
  }
  return (
    <>
      <div>
        <h3 id="new-key" ref={heading} tabIndex={-1} className="text-lg">
          Copy your key
        </h3>
        <p className="mt-1 text-muted text-sm">
          This is the only time we show it. Paste it into {name}, and don’t send it by email. Anyone who has it can use it.
        </p>
      </div>
      <Field label="Key">
        <Input
          ref={field}
          readOnly
          value={secret}
          spellCheck={false}
          autoComplete="off"
          onFocus={(event) => event.currentTarget.select()}
          className="text-sm"
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copy()}>
          <Copy aria-hidden="true" />
          Copy
        </Button>
        <Button variant="secondary" onClick={onDone}>
          Done
        </Button>
      </div>
    </>
  )
}
