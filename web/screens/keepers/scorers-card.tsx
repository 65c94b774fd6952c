import { useId } from 'react'
import type { Leaning } from '#agronomy/observer-leanings.ts'
import type { PreparedTrait } from '#agronomy/prepare-ranking.ts'
import type { Trait } from '#contracts/traits.ts'
import { counted, formatNumber, numberFormat } from '#web/lib/format.ts'
import { Card, CardBody } from '#web/ui/card.tsx'

/** `names` are indexed by observer, and set only for people who can edit the hunt. `me` is the viewer's own index. */
export type Scorers = { names?: readonly (string | null)[] | undefined; me?: number | undefined }

export type ScorerRow = { name: string; words: string; range: string; values: number }
export type ScorerTable = { traitId: string; traitName: string; rows: ScorerRow[]; tasters: number }

const formats = [0, 1, 2].map((digits) => numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }))

/** All figures in a row have the same number of decimals, fewer for large ranges. */
function formatOf({ low, high }: Leaning): (value: number) => string {
  const largest = Math.max(Math.abs(low), Math.abs(high))
  const format = formats[largest >= 100 ? 0 : largest >= 10 ? 1 : 2]
  return (value) => format?.format(Math.abs(value)) ?? ''
}

/** "0.62 higher", "12.4 cm lower", or "No clear difference" if it may be due to chance. */
function differenceWords(leaning: Leaning, unit: string): string {
  const { mean, low, high } = leaning
  if (low <= 0 && high >= 0) return 'No clear difference'
  return `${[formatOf(leaning)(mean), unit].filter((part) => part !== '').join(' ')} ${mean > 0 ? 'higher' : 'lower'}`
}

function rangeWords(leaning: Leaning): string {
  const signed = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${formatOf(leaning)(value)}`
  return `${signed(leaning.low)} to ${signed(leaning.high)}`
}

/** Includes traits with at least two observers, one of them named, in the hunt's order. Testers don't have names here. */
export function scorerTables(
  traits: readonly Pick<Trait, 'id' | 'name' | 'unit' | 'position'>[],
  prepared: readonly Pick<PreparedTrait, 'id' | 'leanings'>[],
  { names, me }: Scorers,
): ScorerTable[] {
  if (!names) return []
  const nameOf = ({ observerId }: Leaning): string | null => (observerId === String(me) ? 'You' : (names[Number(observerId)] ?? null))
  const leaningsOf = new Map(prepared.map(({ id, leanings }) => [id, leanings]))
  return traits
    .toSorted((a, b) => a.position - b.position)
    .flatMap(({ id, name: traitName, unit }) => {
      const leanings = leaningsOf.get(id) ?? []
      const rows = leanings.flatMap((leaning): ScorerRow[] => {
        const name = nameOf(leaning)
        return name === null ? [] : [{ name, words: differenceWords(leaning, unit), range: rangeWords(leaning), values: leaning.values }]
      })
      return leanings.length < 2 || rows.length === 0 ? [] : [{ traitId: id, traitName, rows, tasters: leanings.length - rows.length }]
    })
}

type ScorersCardProps = { traits: readonly Trait[]; prepared: readonly PreparedTrait[]; scorers: Scorers }

/** Renders nothing for one scorer, and for people who can't edit the hunt. */
export function ScorersCard({ traits, prepared, scorers }: ScorersCardProps) {
  const id = useId()
  const tables = scorerTables(traits, prepared, scorers)
  if (tables.length === 0) return null
  return (
    <Card asChild>
      <section aria-labelledby={`${id}-title`}>
        <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <h3 id={`${id}-title`} className="text-lg">
            Who scores higher
          </h3>
          <p className="max-w-text text-muted">
            Compared with a trait’s average scorer, adjusted for which plants each person scored. The ranking accounts for these
            differences.
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
          <section aria-label="Scorers as a table" tabIndex={0} className="overflow-x-auto">
            <table className="w-full text-sm tabular-nums">
              <thead className="text-muted">
                <tr className="border-line border-b">
                  <th scope="col" className="py-2 pr-3 text-left font-medium">
                    Scorer
                  </th>
                  <th scope="col" className="px-3 text-left font-medium">
                    Difference
                  </th>
                  <th scope="col" className="px-3 text-right font-medium">
                    Likely range (80%)
                  </th>
                  <th scope="col" className="pl-3 text-right font-medium max-sm:hidden">
                    Scores
                  </th>
                </tr>
              </thead>
              {tables.map(({ traitId, traitName, rows, tasters }) => (
                <tbody key={traitId}>
                  <tr>
                    <th scope="rowgroup" colSpan={4} className="pt-3 pb-1 text-left font-semibold wrap-anywhere">
                      {traitName}
                    </th>
                  </tr>
                  {rows.map(({ name, words, range, values }, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: scorers may share a name, and the rows hold no state
                    <tr key={index} className="border-line border-b last:border-0">
                      <th scope="row" className="py-2 pr-3 text-left font-normal wrap-anywhere">
                        {name}
                      </th>
                      <td className="px-3">{words}</td>
                      <td className="px-3 text-right text-muted whitespace-nowrap">{range}</td>
                      <td className="pl-3 text-right max-sm:hidden">{formatNumber(values)}</td>
                    </tr>
                  ))}
                  {tasters > 0 && (
                    <tr>
                      <td colSpan={4} className="py-2 text-muted">
                        and {counted(tasters, 'other')}
                      </td>
                    </tr>
                  )}
                </tbody>
              ))}
            </table>
          </section>
        </CardBody>
      </section>
    </Card>
  )
}
