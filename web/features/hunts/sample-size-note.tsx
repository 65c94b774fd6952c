import { useId, useState } from 'react'
import { chanceWith, type SeedKind, seedsFor } from '../../../agronomy/sample-size.ts'
import { counted } from '../../lib/counted.ts'
import { formatNumber } from '../../lib/format.ts'
import { Select } from '../../ui/select.tsx'

const rarities = [
  { share: 1 / 4, words: '1-in-4 plant' },
  { share: 1 / 16, words: '1-in-16 plant' },
  { share: 0.05, words: 'top-5% plant' },
  { share: 1 / 64, words: '1-in-64 plant' },
  { share: 0.01, words: 'top-1% plant' },
]

type SampleSizeNoteProps = { seeds: number; kind: SeedKind; onChoose: (seeds: number) => void }

/** How likely a plant of some rarity is among the seeds, and how many seeds make it likely. */
export function SampleSizeNote({ seeds, kind, onChoose }: SampleSizeNoteProps) {
  const id = useId()
  const [chosen, setChosen] = useState(1)
  const { share, words } = rarities[chosen] ?? { share: 1 / 16, words: '1-in-16 plant' }
  const needed = seedsFor(share, 0.95, kind)
  const isKnown = Number.isInteger(seeds) && seeds > 0
  return (
    <div className="grid gap-2 rounded-input bg-sunk px-3.5 py-3 text-sm">
      <label htmlFor={id} className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">How many seeds for at least one</span>
        <Select id={id} value={chosen} onChange={(event) => setChosen(Number(event.target.value))} className="w-40">
          {rarities.map((rarity, index) => (
            <option key={rarity.words} value={index}>
              {rarity.words}
            </option>
          ))}
        </Select>
      </label>
      <p className="text-muted" aria-live="polite">
        {counted(needed, 'seed')} give a 95% chance of at least one {words}
        {kind === 'regular' && ', half of regular seeds being male'}.
        {isKnown && seeds !== needed && ` Yours give ${percent(chanceWith(seeds, share, kind))}.`}
      </p>
      {seeds !== needed && (
        <button
          type="button"
          onClick={() => onChoose(needed)}
          className="min-h-12 justify-self-start rounded-input border border-edge bg-surface px-4 font-medium hover:border-ink/60 sm:min-h-10"
        >
          Use {formatNumber(needed)}
        </button>
      )}
    </div>
  )
}

function percent(chance: number): string {
  const rounded = Math.round(chance * 100)
  return rounded === 100 ? 'over 99%' : rounded === 0 ? 'under 1%' : `${rounded}%`
}
