import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useController, useForm } from 'react-hook-form'
import { createKey, listKeys } from '#contracts/calls/keys.ts'
import { type KeyScope, keyScopes } from '#contracts/choices.ts'
import { NewKey } from '#contracts/keys.ts'
import type * as z from '#contracts/zod.ts'
import { keyExpiries, ProvenDialog } from '#web/entities/accounts/proof.tsx'
import { TextField } from '#web/forms/fields.tsx'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { call, refreshCalls } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { SecretOnce } from '#web/ui/copy-text.tsx'
import { Field, FieldGroup } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'

export const scopeWords: Record<KeyScope, { title: string; help: string }> = {
  'menu:read': { title: 'Read menu', help: 'Read the menu, including stock and hidden items, and the results of each sync' },
  'menu:write': { title: 'Change menu', help: 'Add, change and remove menu items' },
  'posts:write': { title: 'Write posts', help: 'Publish posts as the business, or save them as drafts' },
  'insights:read': { title: 'Read insights', help: 'Read the figures on the dashboard’s Overview tab (requires Business Tools)' },
}

type Values = z.output<typeof NewKey>

const empty: Values = { name: '', scopes: ['menu:read', 'menu:write'], expiresInDays: null }

export function NewKeyForm({ businessId }: { businessId: string }) {
  const client = useQueryClient()
  const [wanted, setWanted] = useState<Values | null>(null)
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

  const submit = form.handleSubmit((values) => setWanted(values))

  async function create(values: Values, password: string) {
    const { key, secret } = await call(createKey, { params: { id: businessId }, body: { ...values, password } })
    await refreshCalls(client, [listKeys])
    form.reset(empty)
    setMade({ name: key.name, secret })
  }

  /** Closes the dialog if the error concerns a field of the form. */
  function refuse(error: unknown): boolean {
    const isOfForm = showServerErrors(form, error, ['name', 'scopes']) === null
    if (isOfForm) setWanted(null)
    return isOfForm
  }

  return (
    <Card asChild>
      <section aria-labelledby="new-key">
        <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {made && !wanted ? (
            <SecretOnce title="Copy your key" titleId="new-key" label="Key" secret={made.secret} onDone={() => setMade(null)}>
              You won’t be able to see it again. Paste it into {made.name}, and don’t send it by email. Anyone who has it can use it.
            </SecretOnce>
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
                  hint="The system that will use it, such as “Front register”."
                  autoComplete="off"
                  maxLength={60}
                />
                <FieldGroup legend="Permissions" error={scopes.fieldState.error?.message}>
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
                    {keyExpiries.map(({ days, words }) => (
                      <option key={words} value={days ?? ''}>
                        {words}
                      </option>
                    ))}
                  </Select>
                </Field>
                <Button type="submit">Create key</Button>
              </form>
            </>
          )}
          {wanted && (
            <ProvenDialog
              title="Create this key?"
              description="A program that has it can act for the business without your password."
              confirmText="Create key"
              pendingText="Creating..."
              onConfirm={(password) => create(wanted, password)}
              onRefused={refuse}
              onClose={() => setWanted(null)}
            />
          )}
        </CardBody>
      </section>
    </Card>
  )
}
