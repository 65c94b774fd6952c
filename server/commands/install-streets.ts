// npm run map:streets -- --state CO --from FILE or URL [--bbox west,south,east,north] [--max-zoom 14] [--replace]
import { parseArgs } from 'node:util'
import { Presets, SingleBar } from 'cli-progress'
import { streetsFile } from '#server/app/map-tiles.ts'
import { UserFacingError } from '#server/error-line.ts'
import { extractedRegion, extractStreets } from '#server/streets/extract-streets.ts'
import { describeRegion, isEmpty, parseRegion, union } from '#server/streets/region.ts'
import { readable } from './backup-words.ts'
import { runCommand } from './run-command.ts'

const usage = `Usage: npm run map:streets -- --state CO --from FILE or URL
  --from       a PMTiles archive with vector tiles in the Protomaps schema, such as one of the whole planet
  --state      a state's code; several with commas
  --bbox       any other area: --bbox=west,south,east,north
  --max-zoom   less detail in a smaller file
  --replace    removes the installed areas first; without it, they are read again with the new ones`

await runCommand(
  async ({ config, signal }) => {
    const { from, state = [], bbox = [], replace = false, 'max-zoom': maxZoom } = readArguments()
    const file = streetsFile(config)
    const asked = parseRegion(state, bbox)
    if (!from || isEmpty(asked)) throw new UserFacingError(usage)
    const installed = replace ? null : await extractedRegion(file)
    const region = installed ? union(asked, installed) : asked
    console.log(`Streets of ${describeRegion(region)}`)
    const bar = new SingleBar(
      { format: '{bar} {percentage} %  {eta_formatted} left', hideCursor: true, noTTYOutput: true, notTTYSchedule: 10_000 },
      Presets.shades_classic,
    )
    const extract = await extractStreets(file, {
      ...{ from, region, maxZoom, signal },
      onPlan({ tiles, bytes, doneBytes }) {
        console.log(
          `${tiles.toLocaleString('en-US')} tiles, ${readable(bytes)}${doneBytes > 0 ? `, of which ${readable(doneBytes)} are downloaded` : ''}`,
        )
        bar.start(bytes, doneBytes)
      },
      onBytes: (count) => bar.increment(count),
    }).finally(() => bar.stop())
    console.log(`${file}\n${readable(extract.bytes)}, up to zoom ${extract.maxZoom}. The map shows them on the next page load.`)
  },
  { stopped: 'Stopped. Run the same command again to continue.' },
)

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        from: { type: 'string' },
        state: { type: 'string', multiple: true },
        bbox: { type: 'string', multiple: true },
        'max-zoom': { type: 'string' },
        replace: { type: 'boolean' },
      },
    })
    const maxZoom = values['max-zoom'] === undefined ? undefined : Number(values['max-zoom'])
    if (maxZoom !== undefined && !(Number.isInteger(maxZoom) && maxZoom >= 0 && maxZoom <= 15)) {
      throw new Error('--max-zoom must be a whole number from 0 to 15.')
    }
    return { ...values, 'max-zoom': maxZoom }
  } catch (error) {
    throw new UserFacingError(`${(error as Error).message}\n${usage}`)
  }
}
