import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { createPersonKey, listPersonKeys, revokePersonKey } from '#contracts/calls/sign-in.ts'
import type { PersonKeyScope } from '#contracts/choices.ts'
import { type PersonKey, PersonKeyName } from '#contracts/sign-in.ts'
import { keyExpiries, ProvenDialog } from '#web/entities/accounts/proof.tsx'
import { fieldErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { SecretOnce } from '#web/ui/copy-text.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { Select } from '#web/ui/select.tsx'
import { SettingsTopic } from '#web/ui/settings-section.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

const keysOptions = pagesOptions(listPersonKeys, {})

export function KeysRow({ isLocked }: { isLocked: boolean }) {
  const list = useInfiniteQuery(keysOptions)
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<Made | null>(null)
  return (
    <SettingsTopic
      title="API keys"
      hint="Let a program such as Field Book or R read your hunts or write to them. Anyone who has a key can use it."
      action={
        <Button variant="secondary" disabled={isLocked || made !== null} onClick={() => setOpen(true)}>
          Create a key
        </Button>
      }
    >
      {made && (
        <div className="mb-3 grid gap-4 rounded-input bg-sunk p-4">
          <SecretOnce title="Copy your key" titleId="own-key" label="Key" secret={made.secret} onDone={() => setMade(null)}>
            You won’t be able to see it again. Paste it into {made.name}, and don’t send it by email.
          </SecretOnce>
        </div>
      )}
      <PagedList
        list={list}
        loadingLabel="Loading your keys..."
        skeleton={<SkeletonRow />}
        failure="Your keys couldn’t be loaded"
        empty={<p className="text-muted text-sm">No keys yet.</p>}
      >
        {(keys) => (
          <ul className="grid divide-y divide-line rounded-input border border-line">
            {keys.map((key) => (
              <KeyItem key={key.id} entry={key} />
            ))}
          </ul>
        )}
      </PagedList>
      {isOpen && <NewKeyDialog onMade={setMade} onClose={() => setOpen(false)} />}
    </SettingsTopic>
  )
}

type Made = { name: string; secret: string }

const mayWrite = (scopes: readonly PersonKeyScope[]) => scopes.includes('hunts:write')

function KeyItem({ entry: { id, name, scopes, secretEnd, isExpired, createdAt, lastUsedAt } }: { entry: PersonKey }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const revoke = useMutation({
    mutationFn: () => call(revokePersonKey, { params: { id } }),
    onSuccess: async () => {
      await refreshCalls(client, [listPersonKeys])
      setAsking(false)
      toast({ title: 'Key revoked', description: `${name} can’t use it anymore.` })
    },
    onError: (error) => toast({ title: 'The key wasn’t revoked', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="flex min-w-0 flex-1 basis-56 gap-3">
        <KeyRound aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
            {name}
            {isExpired && <Badge variant="clay">Expired</Badge>}
          </p>
          <p className="text-muted text-sm">
            sgp_…{secretEnd} · {mayWrite(scopes) ? 'Read and write' : 'Read only'}
          </p>
          <p className="text-muted text-sm">
            Created <Ago at={createdAt} /> ·{' '}
            {lastUsedAt ? (
              <>
                used <Ago at={lastUsedAt} />
              </>
            ) : (
              'not used yet'
            )}
          </p>
        </div>
      </div>
      <Button variant="quiet" size="sm" className="max-sm:ml-4.75" onClick={() => setAsking(true)}>
        <span>
          Revoke<span className="sr-only"> {name}</span>
        </span>
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Revoke “${name}”?`}
        confirmText="Revoke key"
        pending={revoke.isPending}
        pendingText="Revoking..."
        onConfirm={() => revoke.mutate()}
      >
        The program that uses it will lose access immediately. A revoked key can’t be restored.
      </ConfirmDialog>
    </li>
  )
}

function NewKeyDialog({ onMade, onClose }: { onMade: (made: Made) => void; onClose: () => void }) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [error, setError] = useState('')
  const [isWriting, setWriting] = useState(false)
  const [days, setDays] = useState<number | null>(null)

  function check(): boolean {
    const problem = PersonKeyName.safeParse(name).error?.issues[0]?.message ?? ''
    setError(problem)
    return problem === ''
  }

  async function create(password: string) {
    const scopes: PersonKeyScope[] = isWriting ? ['hunts:read', 'hunts:write'] : ['hunts:read']
    const { key, secret } = await call(createPersonKey, { body: { name, scopes, expiresInDays: days, password } })
    await refreshCalls(client, [listPersonKeys])
    onMade({ name: key.name, secret })
  }

  function refuse(failure: unknown): boolean {
    const problem = fieldErrors(failure).name
    if (problem) setError(problem)
    return problem !== undefined
  }

  return (
    <ProvenDialog
      title="Create an API key"
      confirmText="Create key"
      pendingText="Creating..."
      check={check}
      onConfirm={create}
      onRefused={refuse}
      onClose={onClose}
    >
      <Field label="Name" hint="The program that will use it, such as “Field Book”." error={error}>
        <Input
          autoComplete="off"
          maxLength={60}
          value={name}
          onChange={({ target }) => {
            setName(target.value)
            setError('')
          }}
        />
      </Field>
      <Field label="Permissions" hint="This applies to your hunts and those that others share with you.">
        <Select value={isWriting ? 'write' : 'read'} onChange={({ target }) => setWriting(target.value === 'write')}>
          <option value="read">Read hunts</option>
          <option value="write">Read and write hunts</option>
        </Select>
      </Field>
      <Field label="Expires">
        <Select value={days ?? ''} onChange={({ target }) => setDays(target.value === '' ? null : Number(target.value))}>
          {keyExpiries.map((each) => (
            <option key={each.words} value={each.days ?? ''}>
              {each.words}
            </option>
          ))}
        </Select>
      </Field>
    </ProvenDialog>
  )
}
