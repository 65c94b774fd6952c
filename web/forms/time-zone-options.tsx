import { timeZones, zoneName } from '#web/lib/time-zones.ts'

/** Zones of the person's country come first. Always includes `current`. */
export function TimeZoneOptions({ current }: { current: string }) {
  const { ofCountry, others } = timeZones(current)
  if (ofCountry.length === 0) return <Zones zones={others} />
  return (
    <>
      <optgroup label="Your country">
        <Zones zones={ofCountry} />
      </optgroup>
      <optgroup label="Other time zones">
        <Zones zones={others} />
      </optgroup>
    </>
  )
}

const Zones = ({ zones }: { zones: readonly string[] }) =>
  zones.map((zone) => (
    <option key={zone} value={zone}>
      {zoneName(zone)}
    </option>
  ))
