import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { Globe, Lock, MailOpen, Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { type Control, type Resolver, useController, useWatch } from 'react-hook-form'
import { communityCategories, communityVisibilities } from '#contracts/choices.ts'
import type { Community, CommunityCategory } from '#contracts/communities.ts'
import { type CommunityVisibility, NewCommunity } from '#contracts/communities.ts'
import { maxCommunityRules } from '#contracts/limits.ts'
import { categoryNames, visibilityHints, visibilityNames } from '#web/entities/communities/community-words.ts'
import { ComplianceHints } from '#web/entities/compliance/compliance-hints.tsx'
import { SelectField, TextareaField, TextField } from '#web/forms/fields.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { FieldGroup } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'

type CommunityControl = Control<CommunityValues, unknown, NewCommunity>

export function CommunityFields({ control }: { control: CommunityControl }) {
  return (
    <>
      <TextField control={control} name="name" label="Name" maxLength={60} autoComplete="off" />
      <TextareaField
        control={control}
        name="description"
        label="Description"
        rows={4}
        maxLength={1000}
        hint="What it’s about and who it’s for. People read this before they join."
      />
      <CommunityHints control={control} />
      <SelectField control={control} name="category" label="Category">
        <option value="" disabled>
          Choose a category
        </option>
        {communityCategories.map((category) => (
          <option key={category} value={category}>
            {categoryNames[category]}
          </option>
        ))}
      </SelectField>
      <PrivacyField control={control} />
      <RulesField control={control} />
    </>
  )
}

/** Separate from the fields, so keystrokes rerender only the hints. */
function CommunityHints({ control }: { control: CommunityControl }) {
  const [name, description, rules] = useWatch({ control, name: ['name', 'description', 'rules'] })
  return <ComplianceHints words={{ kind: 'community', texts: [name, description, ...rules] }} />
}

const icons: Record<CommunityVisibility, typeof Lock> = { public: Globe, private: Lock, invite_only: MailOpen }

function PrivacyField({ control }: { control: CommunityControl }) {
  const { field, fieldState } = useController({ control, name: 'visibility' })
  return (
    <RadioCards legend="Privacy" error={fieldState.error?.message} className="sm:grid-flow-row!">
      {communityVisibilities.map((visibility) => {
        const Icon = icons[visibility]
        return (
          <RadioCard
            key={visibility}
            name="visibility"
            value={visibility}
            title={visibilityNames[visibility]}
            description={visibilityHints[visibility]}
            icon={<Icon aria-hidden="true" />}
            checked={field.value === visibility}
            onChange={() => field.onChange(visibility)}
          />
        )
      })}
    </RadioCards>
  )
}

function RulesField({ control }: { control: Control<CommunityValues, unknown, NewCommunity> }) {
  const { field, fieldState } = useController({ control, name: 'rules' })
  const list = useRef<HTMLOListElement>(null)
  const rules = field.value
  const focus = (index: number) =>
    // Wait until the new input is rendered.
    requestAnimationFrame(() => list.current?.querySelectorAll('input')[index]?.focus())
  const add = (at: number) => {
    if (rules.length >= maxCommunityRules) return
    field.onChange(rules.toSpliced(at, 0, ''))
    focus(at)
  }
  const remove = (index: number) => {
    field.onChange(rules.length > 1 ? rules.toSpliced(index, 1) : [''])
    focus(Math.max(0, index - 1))
  }
  const { error } = fieldState
  const message = error?.message ?? (Array.isArray(error) ? error.find(Boolean)?.message : undefined)
  return (
    <FieldGroup legend="Rules" hint="Rules for members, one sentence each. You can change them at any time." error={message}>
      <ol ref={list} className="grid gap-2">
        {rules.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no IDs
          <li key={index} className="flex items-center gap-2">
            <span aria-hidden="true" className="w-5 shrink-0 text-right font-display text-muted tabular-nums">
              {index + 1}
            </span>
            <Input
              aria-label={`Rule ${index + 1}`}
              maxLength={200}
              value={rule}
              {...(index === 0 ? { ref: field.ref, placeholder: 'Don’t sell or give anything away here.' } : {})}
              onChange={(event) => field.onChange(rules.with(index, event.target.value))}
              onBlur={field.onBlur}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                if (rule.trim()) add(index + 1)
              }}
              className="flex-1"
            />
            <IconButton label={`Remove rule ${index + 1}`} size="sm" onClick={() => remove(index)}>
              <X aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ol>
      {rules.length < maxCommunityRules && (
        <Button variant="quiet" size="sm" onClick={() => add(rules.length)} className="ml-5 justify-self-start">
          <Plus aria-hidden="true" />
          Add rule
        </Button>
      )}
    </FieldGroup>
  )
}

/** Excludes the picture, which is sent separately. */
export type CommunityValues = {
  name: string
  description: string
  category: CommunityCategory | ''
  visibility: CommunityVisibility
  rules: string[]
}

export const communityFields = ['name', 'description', 'category', 'visibility', 'rules'] as const

export const emptyCommunity: CommunityValues = { name: '', description: '', category: '', visibility: 'public', rules: [''] }

export const valuesOf = ({ name, description, category, visibility, rules }: Community): CommunityValues => ({
  name,
  description,
  category,
  visibility,
  rules: rules.length > 0 ? [...rules] : [''],
})

const withoutEmptyRules = (values: CommunityValues): CommunityValues => ({
  ...values,
  rules: values.rules.filter((rule) => rule.trim() !== ''),
})

const resolve = standardSchemaResolver(NewCommunity) as unknown as Resolver<CommunityValues, unknown, NewCommunity>

export const communityResolver: Resolver<CommunityValues, unknown, NewCommunity> = (values, context, options) =>
  resolve(withoutEmptyRules(values), context, options)
