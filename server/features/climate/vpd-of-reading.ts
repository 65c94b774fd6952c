import { vaporPressureDeficit } from '../../../agronomy/vpd.ts'

/** Within the contract's bounds there always is one. Three decimals are more than any sensor has. */
export function vpdOfReading(air: number, humidity: number, leaf: number | null): number {
  const vpd = vaporPressureDeficit(air, humidity, leaf)
  if (vpd === null) throw new RangeError(`no vapor pressure deficit for ${air} °C, ${humidity} %, ${leaf} °C`)
  return Math.round(vpd * 1000) / 1000
}
