/**
 * Saturation vapor pressure over water in kPa at a temperature in °C: the Magnus formula with the constants of O. A. Alduchov & R. E.
 * Eskridge, “Improved Magnus form approximation of saturation vapor pressure”, Journal of Applied Meteorology 35 (1996); within 0.4% from
 * −40 to 50 °C.
 */
export function saturationPressure(celsius: number): number {
  return 0.61094 * Math.exp((17.625 * celsius) / (celsius + 243.04))
}

/** Transpiring leaves are cooler than the air. */
export const usualLeafDifference = -2

/**
 * Leaf vapor pressure deficit in kPa: es(leaf) − RH·es(air). `humidity` in percent. Negative values mean condensation on the leaf. Null for
 * values that no grow-room sensor can report: humidity outside 0 to 100%, temperatures outside −42 to 60 °C, or non-numbers.
 */
export function vaporPressureDeficit(airCelsius: number, humidity: number, leafCelsius?: number | null): number | null {
  const leaf = leafCelsius ?? airCelsius + usualLeafDifference
  if (!(humidity >= 0 && humidity <= 100) || !isTemperature(airCelsius) || !isTemperature(leaf)) return null
  return saturationPressure(leaf) - (humidity / 100) * saturationPressure(airCelsius)
}

function isTemperature(celsius: number): boolean {
  return celsius >= -42 && celsius <= 60
}
