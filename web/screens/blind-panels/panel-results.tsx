import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { scoreValueOf } from '#contracts/blind-panels.rules.ts'
import type { Panel, PanelResults } from '#contracts/blind-panels.ts'
import { counted } from '#web/lib/format.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { LoadError } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { aboveWords, agreementWords, answeredOf, figuresWords, scoreWords, tasterFigures } from './panel-words.ts'
import { resultsOptions } from './panels.api.ts'

const cell = 'px-3 py-2.5 text-left align-top first:pl-0 last:pr-0'

export function PanelResultsView({ panel }: { panel: Panel }) {
  const { data: results, error, refetch, isFetching } = useQuery(resultsOptions(panel.id))
  if (!results) {
    if (error) {
      return <LoadError title="The scores couldn’t be loaded" query={{ error, refetch, isFetching }} />
    }
    return (
      <SkeletonGroup label="Loading scores...">
        <Skeleton className="h-48 rounded-card" />
      </SkeletonGroup>
    )
  }
  if (answeredOf(panel) === 0) return <p className="text-muted">This panel was closed before anyone answered.</p>
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <JarTable results={results} />
      <Agreement results={results} />
      <Tasters results={results} />
      <Cards results={results} />
      <a
        href={`/api/blind-panels/${panel.id}/results.csv`}
        download
        className={buttonClass('secondary', 'lg', 'justify-self-start max-sm:w-full')}
      >
        <Download aria-hidden="true" />
        All answers (CSV)
      </a>
    </div>
  )
}

const columns = ['Jar', 'Plant', 'Cards'].map((name) => ({ id: name, name }))

const plantWords = ({ plant }: Panel['jars'][number]): string => [plant?.name, plant?.label].filter(Boolean).join(' ')

function JarTable({ results: { panel, jars } }: { results: PanelResults }) {
  const figuresOf = (jarId: string, traitId: string) =>
    jars.find((jar) => jar.jarId === jarId)?.figures.find((each) => each.traitId === traitId)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <section aria-label={`Scores for ${panel.name}`} tabIndex={0} className="overflow-x-auto rounded-tag">
      <table className="w-full border-collapse text-sm tabular-nums">
        <thead>
          <tr className="border-line border-b text-muted">
            {[...columns, ...panel.traits].map(({ id, name }) => (
              <th key={id} scope="col" className={`${cell} font-medium`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {panel.jars.map((jar) => (
            <tr key={jar.id} className="border-line border-b last:border-b-0">
              <th scope="row" className={`${cell} font-mono font-semibold text-base`}>
                {jar.jarName}
              </th>
              <td className={`${cell} min-w-28 font-medium`}>{plantWords(jar)}</td>
              <td className={cell}>{jar.answered}</td>
              {panel.traits.map((trait) => {
                const figures = figuresOf(jar.id, trait.id)
                return (
                  <td key={trait.id} className={`${cell} min-w-28`}>
                    {figures ? figuresWords(trait, figures) : ''}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Agreement({ results: { panel, agreement } }: { results: PanelResults }) {
  return (
    <div className="grid gap-1.5">
      <h4 className="font-medium">Agreement</h4>
      <ul className="grid gap-1 text-sm">
        {panel.traits.map((trait) => {
          const found = agreement.find(({ traitId }) => traitId === trait.id)
          return (
            <li key={trait.id}>
              <span className="font-medium">{trait.name}:</span> {found ? agreementWords(trait, found) : ''}
            </li>
          )
        })}
      </ul>
      <p className="max-w-text text-muted text-sm">
        ± is the standard deviation between testers of the same jar. For agreement, it’s pooled over all jars. For lists, agreement is the
        share of options that both testers chose, out of all the options either one chose.
      </p>
    </div>
  )
}

/** Each tester's scores, relative to the mean of the same jars. Renders nothing unless someone signed at least two cards. */
function Tasters({ results }: { results: PanelResults }) {
  const tasters = tasterFigures(results)
  if (tasters.length === 0) return null
  const numeric = results.panel.traits.filter(({ kind }) => kind === 'ordinal' || kind === 'number')
  return (
    <div className="grid gap-1.5">
      <h4 className="font-medium">Testers</h4>
      <ul className="grid gap-1 text-sm">
        {tasters.map(({ taster, cards, above }) => (
          <li key={taster}>
            <span className="font-medium wrap-anywhere">{taster}:</span> {counted(cards, 'card')}
            {numeric.flatMap(({ id, name }) => {
              const by = above.get(id)
              return by === undefined ? [] : `, ${name} ${aboveWords(by)}`
            })}
          </li>
        ))}
      </ul>
      <p className="max-w-text text-muted text-sm">
        How far each tester’s scores are from the mean of the same jars. The keeper ranking accounts for these differences.
      </p>
    </div>
  )
}

function Cards({ results: { panel, jars } }: { results: PanelResults }) {
  return (
    <details className="group rounded-input border border-line">
      <summary className="flex min-h-12 cursor-pointer items-center px-4 font-medium">Answers by card ({answeredOf(panel)})</summary>
      <ul className="divide-y divide-line border-line border-t">
        {panel.jars.flatMap((jar) =>
          (jars.find(({ jarId }) => jarId === jar.id)?.cards ?? []).map((card) => (
            <li key={`${jar.id} ${card.cardNumber}`} className="grid gap-1 px-4 py-3 text-sm">
              <p className="font-medium wrap-anywhere">
                {`${jar.jarName}, card ${card.cardNumber}`}
                {card.taster !== '' && <span className="font-normal text-muted">{` by ${card.taster}`}</span>}
              </p>
              <p>
                {card.scores
                  .flatMap((score) => {
                    const trait = panel.traits.find(({ id }) => id === score.traitId)
                    return trait ? `${trait.name}: ${scoreWords(trait, scoreValueOf(score))}` : []
                  })
                  .join(' · ')}
              </p>
              {card.comment !== '' && <p className="text-muted whitespace-pre-line wrap-anywhere">{card.comment}</p>}
            </li>
          )),
        )}
      </ul>
    </details>
  )
}
