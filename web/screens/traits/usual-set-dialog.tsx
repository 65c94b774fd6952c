import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { uuidv7 } from 'uuidv7'
import { createTrait } from '#contracts/calls/traits.ts'
import type { NewTrait, Trait } from '#contracts/traits.ts'
import { curveWords, isUncounted } from '#web/entities/traits/trait-words.ts'
import { refreshTraits } from '#web/entities/traits/traits.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { FormError } from '#web/ui/field.tsx'

type UsualSetDialogProps = { huntId: string; traits: readonly Trait[]; onOpenChange: (open: boolean) => void }

export function UsualSetDialog({ huntId, traits, onOpenChange }: UsualSetDialogProps) {
  const client = useQueryClient()
  const there = new Set(traits.map(({ name }) => name.toLowerCase()))
  const offered = usualTraits.filter(({ trait }) => !there.has(trait.name.toLowerCase()))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(offered.filter(({ isExpert }) => !isExpert).map(({ key }) => key)),
  )
  // Generated once, so a retry doesn't add duplicates.
  const [ids] = useState(() => new Map(usualTraits.map(({ key }) => [key, uuidv7()])))
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function add() {
    setSaving(true)
    setFailure(null)
    try {
      // One after another, because creation order is display order.
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
              Add {counted(chosen.size, 'trait')}
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
          <FormError>{failure}</FormError>
        </div>
      </DialogContent>
    </Dialog>
  )
}

function hintOf({ why, trait }: UsualTrait): string {
  const { direction = 'none', kind } = trait
  if (isUncounted({ direction, kind, isArchived: false }))
    return `${why}. Doesn’t count in the ranking until you choose which values are better.`
  if (direction === 'none' || kind === 'ordinal') return `${why}.`
  const words = curveWords(direction, trait)
  return `${why}. Suggested: ${words.charAt(0).toLowerCase()}${words.slice(1)}.`
}

/**
 * The bounds, where desirability is 0 and 1, are suggestions. They're set only for scales with ends and for widely agreed ranges (flowering
 * 8–10 weeks, rooting 7–14 days, stretch 1–4×, terpenes 1–4%). Good yield and potency depend on the room and the cross, so those don't have
 * a direction.
 */
type UsualTrait = {
  /** Stays the same if the name changes. */
  key: string
  why: string
  /** Less common, so off by default. */
  isExpert: boolean
  trait: Pick<NewTrait, 'name' | 'kind'> & Partial<Omit<NewTrait, 'id' | 'name' | 'kind' | 'isExpert'>>
}

const scale = (...labels: string[]) => labels.map((label, i) => ({ value: i + 1, label }))
const list = (...labels: string[]) => labels.map((label, value) => ({ value, label }))
const upward = { direction: 'max', low: 1, high: 5 } as const

export const usualTraits: readonly UsualTrait[] = [
  {
    key: 'vigor',
    why: 'How strongly it grows compared with its siblings',
    isExpert: false,
    trait: {
      name: 'Vigor',
      kind: 'ordinal',
      options: scale('Stunted', 'Behind its siblings', 'Like most', 'Ahead of most', 'Outgrows all'),
      ...upward,
      weight: 3,
      fromStage: 'seedling',
      toStage: 'flower',
    },
  },
  {
    key: 'branching',
    why: 'How well it fills its space',
    isExpert: false,
    trait: {
      name: 'Branching',
      kind: 'ordinal',
      options: scale('Single stem', 'Few short side branches', 'Even side branches', 'Many strong side branches', 'Bushy all over'),
      fromStage: 'vegetative',
      toStage: 'flower',
    },
  },
  {
    key: 'stretch',
    why: 'Final height divided by height at the flip',
    isExpert: false,
    trait: { name: 'Stretch', kind: 'number', unit: '×', direction: 'target', low: 1, target: 2, high: 4, weight: 1, fromStage: 'flower' },
  },
  {
    key: 'internode',
    why: 'Between two nodes in the middle of the plant',
    isExpert: true,
    trait: { name: 'Internode', kind: 'number', unit: 'cm', fromStage: 'vegetative', toStage: 'flower' },
  },
  {
    key: 'height',
    why: 'The last height from the grow logs',
    isExpert: true,
    trait: { name: 'Height', kind: 'number', source: 'log_height', unit: 'cm' },
  },
  {
    key: 'rooting-days',
    why: 'From cutting a clone to its first roots, calculated from the clone’s dates unless you enter a value',
    isExpert: false,
    trait: { name: 'Rooting days', kind: 'number', source: 'rooting_days', unit: 'days', direction: 'min', low: 7, high: 14, weight: 1 },
  },
  {
    key: 'flower-days',
    why: 'From the flip to the cut, calculated from the harvest',
    isExpert: false,
    trait: { name: 'Flower days', kind: 'number', source: 'flower_days', unit: 'days', direction: 'min', low: 56, high: 70, weight: 2 },
  },
  {
    key: 'trichomes',
    why: 'Seen with a loupe on the flowers and surrounding leaves',
    isExpert: false,
    trait: {
      name: 'Trichome coverage',
      kind: 'ordinal',
      options: scale('Sparse', 'Only on the flowers', 'Flowers and sugar leaves', 'Dense, up to the fan leaves', 'White all over'),
      ...upward,
      weight: 3,
      fromStage: 'flower',
    },
  },
  {
    key: 'bud-density',
    why: 'Pressed between two fingers',
    isExpert: false,
    trait: {
      name: 'Bud density',
      kind: 'ordinal',
      options: scale('Airy', 'Loose', 'Gives a little', 'Firm', 'Rock hard'),
      ...upward,
      weight: 2,
      fromStage: 'flower',
    },
  },
  {
    key: 'aroma-intensity',
    why: 'A squeezed flower, held at arm’s length',
    isExpert: false,
    trait: {
      name: 'Aroma intensity',
      kind: 'ordinal',
      options: scale('None', 'Faint', 'Clear up close', 'Strong', 'Fills the room'),
      ...upward,
      weight: 3,
      fromStage: 'flower',
    },
  },
  {
    key: 'aroma',
    why: 'Every smell you notice. Choose as many as you like',
    isExpert: false,
    trait: {
      name: 'Aroma',
      kind: 'checks',
      options: list(
        'Citrus',
        'Berry',
        'Tropical',
        'Grape',
        'Sweet',
        'Floral',
        'Pine',
        'Earthy',
        'Herbal',
        'Spicy',
        'Gas',
        'Skunk',
        'Cheese',
        'Chocolate',
        'Hay',
      ),
      fromStage: 'flower',
    },
  },
  {
    key: 'mold',
    why: 'Compared with siblings in the same air',
    isExpert: false,
    trait: {
      name: 'Mold resistance',
      kind: 'ordinal',
      options: scale('Rotted', 'Several spots', 'One spot', 'None, though siblings had some', 'None in a damp room'),
      ...upward,
      weight: 2,
      fromStage: 'flower',
    },
  },
  {
    key: 'leafiness',
    why: 'How much there is to trim',
    isExpert: true,
    trait: {
      name: 'Flower to leaf',
      kind: 'ordinal',
      options: scale('Mostly leaf', 'Leafy', 'Balanced', 'Little leaf', 'Nearly all flower'),
      ...upward,
      weight: 1,
      fromStage: 'flower',
    },
  },
  {
    key: 'intersex',
    why: 'The day you first saw pollen sacs',
    isExpert: true,
    trait: { name: 'First pollen sacs', kind: 'date', must: { min: null, max: null, not: [] }, fromStage: 'flower' },
  },
  {
    key: 'color',
    why: 'Of the ripe flowers',
    isExpert: true,
    trait: { name: 'Flower color', kind: 'category', options: list('Green', 'Lime', 'Purple', 'Pink', 'Black'), fromStage: 'flower' },
  },
  {
    key: 'bud-photo',
    why: 'The same cola on every plant, for the photo grid',
    isExpert: false,
    trait: { name: 'Bud photo', kind: 'photo', fromStage: 'flower' },
  },
  {
    key: 'dry-yield',
    why: 'From the harvest',
    isExpert: false,
    trait: { name: 'Dry yield', kind: 'number', source: 'dry_weight', unit: 'g' },
  },
  {
    key: 'wet-yield',
    why: 'From the harvest, right after cutting',
    isExpert: true,
    trait: { name: 'Wet yield', kind: 'number', source: 'wet_weight', unit: 'g' },
  },
  {
    key: 'wash-yield',
    why: 'Hash as % of fresh-frozen weight, from the harvest',
    isExpert: true,
    trait: { name: 'Wash yield', kind: 'number', source: 'wash_yield', unit: '%' },
  },
  {
    key: 'potency',
    why: 'Total THC from the lab',
    isExpert: false,
    trait: { name: 'Potency', kind: 'number', source: 'lab', analyte: 'Total THC', unit: '%' },
  },
  {
    key: 'terpenes',
    why: 'Total terpenes from the lab: under 1% is low, over 4% is rare',
    isExpert: true,
    trait: {
      name: 'Terpenes',
      kind: 'number',
      source: 'lab',
      analyte: 'Total terpenes',
      unit: '%',
      direction: 'max',
      low: 1,
      high: 4,
      weight: 2,
    },
  },
]
