import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createTrait } from '#contracts/calls/traits.ts'
import type { Trait } from '#contracts/traits.ts'
import { newId } from '#web/entities/offline/ids.ts'
import { directionWords } from '#web/entities/traits/trait-words.ts'
import { refreshTraits } from '#web/entities/traits/traits.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { type UsualTrait, usualTraits } from './usual-traits.ts'

type UsualSetDialogProps = { huntId: string; traits: readonly Trait[]; onOpenChange: (open: boolean) => void }

export function UsualSetDialog({ huntId, traits, onOpenChange }: UsualSetDialogProps) {
  const client = useQueryClient()
  const there = new Set(traits.map(({ name }) => name.toLowerCase()))
  const offered = usualTraits.filter(({ trait }) => !there.has(trait.name.toLowerCase()))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(offered.filter(({ isExpert }) => !isExpert).map(({ key }) => key)),
  )
  // Generated once, so that a retry adds no duplicates.
  const [ids] = useState(() => new Map(usualTraits.map(({ key }) => [key, newId()])))
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function add() {
    setSaving(true)
    setFailure(null)
    try {
      // Sequential, because creation order is display order.
      for (const { key, trait, isExpert } of offered.filter((each) => chosen.has(each.key))) {
        await call(createTrait, { params: { id: huntId }, body: { ...trait, isExpert, id: ids.get(key) } })
      }
      onOpenChange(false)
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setSaving(false)
      await refreshTraits(client)
    }
  }

  const toggle = (key: string) => setChosen(new Set(chosen.has(key) ? [...chosen].filter((each) => each !== key) : [...chosen, key]))
  const groups = [
    { title: 'Usual', of: offered.filter(({ isExpert }) => !isExpert) },
    { title: 'For experts', of: offered.filter(({ isExpert }) => isExpert) },
  ]
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title="Start with a standard set"
        description="Its bounds and weights are suggestions. Set your own under each trait. You can add, change and archive traits at any time."
        size="md"
        actions={
          <>
            <DialogCancel />
            <Button onClick={() => void add()} pending={isSaving} pendingText="Adding..." disabled={chosen.size === 0} className="min-h-12">
              {chosen.size === 1 ? 'Add 1 trait' : `Add ${chosen.size} traits`}
            </Button>
          </>
        }
      >
        <div className="grid gap-6">
          {offered.length === 0 && <p className="text-muted">This hunt already has all of them.</p>}
          {groups.map(({ title, of }) => (
            <fieldset key={title} className="grid gap-3 empty:hidden" hidden={of.length === 0}>
              <legend className="mb-2 font-medium">{title}</legend>
              {of.map((each) => (
                <Checkbox key={each.key} checked={chosen.has(each.key)} onChange={() => toggle(each.key)} hint={hintOf(each)}>
                  {each.trait.name}
                </Checkbox>
              ))}
            </fieldset>
          ))}
          {failure && (
            <div role="alert">
              <FieldError>{failure}</FieldError>
            </div>
          )}
        </div>
      </DialogContent>
    </Dialog>
  )
}

function hintOf({ why, trait }: UsualTrait): string {
  const { direction = 'none', low, high, target, unit = '', kind } = trait
  if (direction === 'none' || kind === 'ordinal') return `${why}.`
  const of = unit === '' ? '' : ` ${unit}`
  const range = direction === 'target' ? `${target}${of} within ${low} to ${high}${of}` : `${low} to ${high}${of}`
  return `${why}. Suggested: ${directionWords[direction].toLowerCase()}, ${range}.`
}
