// npm run licenses:fetch -- --state NY [--accept-shrunk]
import { parseArgs } from 'node:util'
import { createRegisterReader } from '#server/adapters/registers/read-register.ts'
import { UserFacingError } from '#server/error-line.ts'
import { fetchRegister, lastReadings, loadRegisters } from '#server/features/directory/index.ts'
import { systemClock } from '#server/kernel/context.ts'
import { RegisterUnavailable } from '#server/kernel/license-registers.ts'
import { refusedPrinter, summaryLines } from './import-report.ts'
import { withDatabase } from './run-command.ts'

const { values } = parseArgs({
  options: { state: { type: 'string', multiple: true }, 'accept-shrunk': { type: 'boolean', default: false } },
})
const states = (values.state ?? []).flatMap((text) => text.toUpperCase().split(','))

await withDatabase(async ({ config, db, signal }) => {
  const registers = await loadRegisters(config.licenseRegisters.file)
  const chosen = registers.filter(({ state }) => states.includes(state))
  if (chosen.length === 0) {
    const readings = await lastReadings(db)
    const lastRead = (name: string) => readings.get(name)?.toISOString().slice(0, 10) ?? 'never'
    const known = registers.map(({ state, name }) => `  ${state}  ${name}, last read: ${lastRead(name)}`).join('\n')
    throw new UserFacingError(`Which state? npm run licenses:fetch -- --state NY\nKnown registers:\n${known}`)
  }
  const read = createRegisterReader()
  for (const register of chosen) {
    console.log(`${register.name}: ${new URL(register.source.url).host}`)
    const refused = refusedPrinter((line) => console.log(line))
    const summary = await fetchRegister({ db, clock: systemClock }, register, {
      read,
      dataDir: config.dataDir,
      signal,
      acceptShrunk: values['accept-shrunk'],
      onRows: (count) => console.log(`  ${count.toLocaleString('en-US')} rows`),
      onRefused: refused,
    }).catch((error: unknown) => {
      throw error instanceof RegisterUnavailable ? new UserFacingError(`${error.message} Nothing was imported.`) : error
    })
    for (const line of summaryLines(summary)) console.log(line)
  }
})
