import { useInfiniteQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { listProducts } from '#contracts/calls/menus.ts'
import type { PostLinkKind } from '#contracts/posts.ts'
import { BusinessField } from '#web/entities/businesses/business-field.tsx'
import { huntsOptions } from '#web/entities/hunts/hunts.api.ts'
import { StrainCombobox } from '#web/entities/strains/strain-combobox.tsx'
import { call } from '#web/lib/call.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { LinkFace } from './community-post-card.tsx'
import type { ChosenLink } from './composer-values.ts'

type LinkPickerProps = { link: ChosenLink | null; error: string | undefined; onChange: (link: ChosenLink | null) => void }

const kinds: Record<PostLinkKind, string> = { hunt: 'Pheno hunt', strain: 'Strain', business: 'Business', product: 'Product' }

export function LinkPicker({ link, error, onChange }: LinkPickerProps) {
  const [kind, setKind] = useState<PostLinkKind>(link?.kind ?? 'hunt')
  if (link) {
    return (
      <div className="grid gap-2">
        <p className="font-medium text-sm">Linked</p>
        <p className="flex items-center gap-3 rounded-input border border-line p-2.5">
          <LinkFace
            link={link}
            end={
              <IconButton label={`Remove the link to ${link.name}`} size="sm" onClick={() => onChange(null)}>
                <X aria-hidden="true" />
              </IconButton>
            }
          />
        </p>
        {link.isPrivate && <p className="text-muted text-sm">This hunt is private. Only people you share it with can see the link.</p>}
        {error && <p className="font-medium text-clay text-sm">{error}</p>}
      </div>
    )
  }
  return (
    <fieldset className="grid gap-3 rounded-input bg-sunk p-3.5 sm:p-4">
      <legend className="sr-only">Add link</legend>
      <div className="flex flex-wrap gap-2">
        {(Object.keys(kinds) as PostLinkKind[]).map((each) => (
          <Chip key={each} pressed={kind === each} onClick={() => setKind(each)}>
            {kinds[each]}
          </Chip>
        ))}
      </div>
      {kind === 'hunt' && <HuntField onChange={onChange} />}
      {kind === 'strain' && <StrainField onChange={onChange} />}
      {kind === 'business' && (
        <BusinessField
          label="Business"
          onChoose={(business) => onChange({ kind: 'business', id: business.id, name: business.name, detail: business.location })}
        />
      )}
      {kind === 'product' && <ProductField onChange={onChange} />}
    </fieldset>
  )
}

type FieldProps = { onChange: (link: ChosenLink) => void }

function HuntField({ onChange }: FieldProps) {
  const list = useInfiniteQuery(huntsOptions)
  const hunts = list.data?.pages.flatMap(({ items }) => items) ?? []
  if (list.data && hunts.length === 0) return <p className="text-muted text-sm">You have no pheno hunts yet.</p>
  return (
    <Field label="Pheno hunt">
      <Select
        value=""
        onChange={(event) => {
          const hunt = hunts.find(({ id }) => id === event.target.value)
          if (hunt) onChange({ kind: 'hunt', id: hunt.id, name: hunt.huntName, detail: null, isPrivate: hunt.visibility === 'private' })
        }}
      >
        <option value="">{list.isPending ? 'Loading...' : 'Choose one of yours'}</option>
        {hunts.map(({ id, huntName, visibility }) => (
          <option key={id} value={id}>
            {huntName}
            {visibility === 'private' ? ' (private)' : ''}
          </option>
        ))}
      </Select>
    </Field>
  )
}

function StrainField({ onChange }: FieldProps) {
  const [name, setName] = useState('')
  const take = (chosen: string) => chosen.trim() !== '' && onChange({ kind: 'strain', id: null, name: chosen.trim(), detail: null })
  return (
    <div className="flex items-end gap-2">
      <Field label="Strain" className="flex-1">
        <StrainCombobox value={name} onChange={setName} onChoose={(strain) => take(strain.name)} placeholder="Blue Dream" />
      </Field>
      <Button variant="secondary" disabled={name.trim() === ''} onClick={() => take(name)}>
        Link
      </Button>
    </div>
  )
}

function ProductField({ onChange }: FieldProps) {
  const [business, setBusiness] = useState<BusinessSummary | null>(null)
  const [text, setText] = useState('')
  if (!business) return <BusinessField label="Which business?" onChoose={setBusiness} />
  const find = (q: string, signal: AbortSignal) =>
    call(listProducts, { params: { id: business.id }, query: { q: q.slice(0, 120), limit: 8 } }, { signal })
  return (
    <div className="grid gap-2">
      <Field label={`Product from ${business.name}`}>
        <Combobox
          value={text}
          onValueChange={setText}
          loadOptions={find}
          optionKey={({ id }) => id}
          optionText={({ name }) => name}
          onSelect={({ id, name }) => onChange({ kind: 'product', id, name, detail: business.name })}
          placeholder="Name"
          emptyText="No match on its menu"
        />
      </Field>
      <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setBusiness(null)}>
        Another business
      </Button>
    </div>
  )
}
