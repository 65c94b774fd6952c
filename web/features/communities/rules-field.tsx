import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { type Control, useController } from 'react-hook-form'
import { maxRules, type NewCommunity } from '../../../contracts/communities.ts'
import { Button } from '../../ui/button.tsx'
import { FieldGroup } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import type { CommunityValues } from './community-values.ts'

/** The rules as a list: one line each. Enter begins the next one. */
export function RulesField({ control }: { control: Control<CommunityValues, unknown, NewCommunity> }) {
  const { field, fieldState } = useController({ control, name: 'rules' })
  const list = useRef<HTMLOListElement>(null)
  const rules = field.value
  const focus = (index: number) =>
    // Once it is there.
    requestAnimationFrame(() => list.current?.querySelectorAll('input')[index]?.focus())
  const add = (at: number) => {
    if (rules.length >= maxRules) return
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
    <FieldGroup legend="Rules" hint="What members keep to, one sentence each. You can change them at any time." error={message}>
      <ol ref={list} className="grid gap-2">
        {rules.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no name but its place
          <li key={index} className="flex items-center gap-2">
            <span aria-hidden="true" className="w-5 shrink-0 text-right font-display text-muted tabular-nums">
              {index + 1}
            </span>
            <Input
              aria-label={`Rule ${index + 1}`}
              maxLength={200}
              value={rule}
              {...(index === 0 ? { ref: field.ref, placeholder: 'Nothing is sold or given away here.' } : {})}
              onChange={(event) => field.onChange(rules.with(index, event.target.value))}
              onBlur={field.onBlur}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                if (rule.trim()) add(index + 1)
              }}
              className="flex-1"
            />
            <IconButton label={`Take rule ${index + 1} out`} size="sm" onClick={() => remove(index)}>
              <X aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ol>
      {rules.length < maxRules && (
        <Button variant="quiet" size="sm" onClick={() => add(rules.length)} className="ml-5 justify-self-start">
          <Plus aria-hidden="true" />
          Add a rule
        </Button>
      )}
    </FieldGroup>
  )
}
