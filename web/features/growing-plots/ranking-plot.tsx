import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Chart, type Locate, type PlotPoint } from './chart.tsx'
import { numberText, shareText } from './format.ts'
import type { Look } from './palette.ts'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'
import { rankingHeight, rankingOption } from './ranking-option.ts'
import { type RankedGenotype, type RankingRow, rankingColumns, rankingRows } from './ranking-rows.ts'
import { chartPicture } from './use-chart.ts'

type RankingPlotProps = PlotProps & {
  /** Best first. */
  ranked: readonly RankedGenotype[]
  scoreName?: string | undefined
  /** The share of the interval: 0.8. */
  interval?: number | undefined
  digits?: number | undefined
  /** What the ranking says in a sentence: "Too close to call: #7 and #12." */
  verdict?: string | undefined
  onChoose?: ((genotypeId: string) => void) | undefined
}

/** As many as are shown at first. */
const few = 15
/** A picture holds no more: what is below stands in the file with the numbers. */
const mostInPicture = 60

/** Each genotype's score with its interval, and how likely it is the best. */
export function RankingPlot({ ranked, scoreName = 'Score', interval = 0.8, digits = 2, verdict, onChoose, ...frame }: RankingPlotProps) {
  const [showsAll, setShowsAll] = useState(false)
  const rows = rankingRows(ranked)
  const shown = showsAll ? rows : rows.slice(0, few)
  const percent = shareText(interval)
  return (
    <PlotFrame
      {...frame}
      title="Ranking"
      help={`The dot is the score, shrunk towards the hunt’s mean; the line holds the true one with ${percent} certainty. Where lines overlap, the order may be luck.`}
      table={{ columns: rankingColumns(scoreName, interval, digits), rows }}
      picture={() => {
        const inPicture = rows.slice(0, Math.min(mostInPicture, shown.length))
        return chartPicture((look) => rankingOption(inPicture, scoreName, look), 900, rankingHeight(inPicture.length))
      }}
      empty={{ title: 'Nothing scored yet', description: 'Measure or score a trait on a few plants, and the ranking begins.' }}
      height={rankingHeight(8)}
    >
      {verdict && <p className="mb-3 font-medium">{verdict}</p>}
      <Chart
        name={`Ranking of ${shown.length} genotypes`}
        draw={(look: Look) => rankingOption(shown, scoreName, look)}
        heightOf={() => rankingHeight(shown.length)}
        pointsOf={(locate) => rankingPoints(shown, scoreName, percent, digits, locate)}
        reach={60}
        onChoose={onChoose}
      />
      {rows.length > few && (
        <Button variant="secondary" size="sm" className="mt-2" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? `Show the first ${few}` : `Show all ${numberText(rows.length)}`}
        </Button>
      )}
    </PlotFrame>
  )
}

function rankingPoints(rows: readonly RankingRow[], scoreName: string, percent: string, digits: number, locate: Locate): PlotPoint[] {
  return rows.map(({ genotypeId, name, rank, score, low, high, best, topThree, isKeeper }, place) => ({
    id: genotypeId,
    at: locate(score, place),
    title: `${name}${isKeeper ? ', keeper' : ''}`,
    facts: [
      ['Rank', numberText(rank)],
      [scoreName, numberText(score, digits)],
      [percent, `${numberText(low, digits)} to ${numberText(high, digits)}`],
      ['P(best)', shareText(best, 1)],
      ['P(top 3)', shareText(topThree, 1)],
    ],
  }))
}
