/** Values are stored in °C, cm and g; °F, inches and ounces are for display and input. No rounding here. */

export const toFahrenheit = (celsius: number) => (celsius * 9) / 5 + 32
export const toCelsius = (fahrenheit: number) => ((fahrenheit - 32) * 5) / 9
/** For differences, such as leaf to air: no offset. */
export const toFahrenheitDifference = (celsius: number) => (celsius * 9) / 5
export const toCelsiusDifference = (fahrenheit: number) => (fahrenheit * 5) / 9

/** By definition (international yard and pound, 1959). */
const centimetersPerInch = 2.54
const gramsPerOunce = 28.349523125

export const toInches = (centimeters: number) => centimeters / centimetersPerInch
export const toCentimeters = (inches: number) => inches * centimetersPerInch
export const toOunces = (grams: number) => grams / gramsPerOunce
export const toGrams = (ounces: number) => ounces * gramsPerOunce
