import { useState } from 'react'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { listBusinesses } from '#contracts/calls/businesses.ts'
import { call } from '#web/lib/call.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { Field } from '#web/ui/field.tsx'

type BusinessFieldProps = {
  label: string
  onChoose: (business: BusinessSummary) => void
  near?: string | null
  except?: string
  error?: string | undefined
}

const limit = 8

export function BusinessField({ label, onChoose, near = null, except, error }: BusinessFieldProps) {
  const [text, setText] = useState('')
  const find = async (typed: string, signal: AbortSignal) => {
    const q = typed.slice(0, 120)
    const load = (place: object) => call(listBusinesses, { query: { q, limit, ...place } }, { signal })
    // The server refuses places that aren't in the gazetteer.
    const nearby = near === null ? [] : await load({ near }).catch(() => [])
    signal.throwIfAborted()
    const everywhere = nearby.length < limit ? await load({}) : []
    const found = new Map([...nearby, ...everywhere].map((business) => [business.id, business]))
    return [...found.values()].filter(({ id }) => id !== except).slice(0, limit)
  }
  return (
    <Field label={label} error={error}>
      <Combobox
        value={text}
        onValueChange={setText}
        loadOptions={find}
        optionKey={({ id }) => id}
        optionText={({ name }) => name}
        renderOption={({ name, address, location }) => (
          <span className="flex min-w-0 flex-1 items-baseline justify-between gap-3">
            <span className="truncate">{name}</span>
            <span className="min-w-0 truncate text-muted text-sm">{[address, location].filter(Boolean).join(', ')}</span>
          </span>
        )}
        onSelect={onChoose}
        placeholder="Name"
      />
    </Field>
  )
}
