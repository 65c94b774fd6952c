/** Doesn't depend on the order of the values, unlike a plain floating-point sum. NaN without values. */
export function meanOf(values: readonly number[]): number {
  if (values.length <= 2)
    return ((values[0] ?? Number.NaN) + (values.length === 2 ? (values[1] as number) : 0)) / Math.max(values.length, 1)
  return sumOf(values) / values.length
}

/** The mean of the plants' means, so frequent measurements of one plant don't weigh more. Null without numbers. */
export function meanOfPlants(values: readonly { plantId: string; number?: number | undefined }[]): { mean: number; plants: number } | null {
  const measured = values.flatMap(({ plantId, number }) => (number === undefined ? [] : [{ plantId, number }]))
  const plants = [...Map.groupBy(measured, ({ plantId }) => plantId).values()]
  if (plants.length === 0) return null
  return { mean: meanOf(plants.map((of) => meanOf(of.map(({ number }) => number)))), plants: plants.length }
}

export function sumOf(values: readonly number[]): number {
  let sum = 0
  for (const value of ascending(values)) sum += value
  return sum
}

/** Linear interpolation (type 7 of Hyndman & Fan 1996, as in R and spreadsheets). NaN without values. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = ascending(values)
  if (sorted.length === 0) return Number.NaN
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] as number
  const above = sorted[Math.ceil(at)] as number
  return below + (above - below) * (at - Math.floor(at))
}

function ascending(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort()
}

/**
 * Quantile function of the standard normal: M. J. Wichura, “Algorithm AS 241: The percentage points of the normal distribution”, Applied
 * Statistics 37 (1988), PPND16; about 16 digits. Uses only + − × ÷ and √, so results are identical on every engine.
 */
export function normalQuantile(probability: number): number {
  if (!(probability > 0 && probability < 1)) {
    if (probability === 0) return Number.NEGATIVE_INFINITY
    return probability === 1 ? Number.POSITIVE_INFINITY : Number.NaN
  }
  const q = probability - 0.5
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q
    return (q * polynomial(centralTop, r)) / polynomial(centralBottom, r)
  }
  const tail = Math.sqrt(-naturalLog(q < 0 ? probability : 1 - probability))
  const size =
    tail <= 5
      ? polynomial(nearTop, tail - 1.6) / polynomial(nearBottom, tail - 1.6)
      : polynomial(farTop, tail - 5) / polynomial(farBottom, tail - 5)
  return q < 0 ? -size : size
}

/**
 * Cumulative distribution function of the standard normal: G. West, “Better approximations to cumulative normal functions”, Wilmott (2005),
 * after Hart 1968.
 */
export function normalCdf(x: number): number {
  const size = Math.abs(x)
  if (Number.isNaN(size)) return Number.NaN
  let tail = 0
  if (size < 7.07106781186547) tail = (exponential((-size * size) / 2) * polynomial(cdfTop, size)) / polynomial(cdfBottom, size)
  else if (size <= 37) {
    const fraction = size + 1 / (size + 2 / (size + 3 / (size + 4 / (size + 0.65))))
    tail = exponential((-size * size) / 2) / (fraction * Math.sqrt(2 * Math.PI))
  }
  return x > 0 ? 1 - tail : tail
}

export function normalDensity(x: number): number {
  return exponential((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}

/** Artanh series for x > 0, because Math.log differs between engines. */
export function naturalLog(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN
  let halvings = 0
  let rest = x
  for (; rest < 0.5; halvings++) rest *= 2
  for (; rest >= 1; halvings--) rest /= 2
  const s = (rest - 1) / (rest + 1)
  let sum = 0
  for (let power = 39; power >= 1; power -= 2) sum = sum * s * s + 1 / power
  return 2 * s * sum - halvings * Math.LN2
}

/** Taylor series of a reduced argument, because Math.exp differs between engines. */
export function exponential(x: number): number {
  if (x < -700) return 0
  const doublings = Math.round(x / Math.LN2)
  const rest = x - doublings * Math.LN2
  let sum = 1
  for (let power = 18; power >= 1; power--) sum = 1 + (sum * rest) / power
  return sum * 2 ** doublings
}

/** Coefficients in ascending order, starting with the constant. */
function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * x + (coefficients[i] as number)
  return sum
}

const centralTop = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087, 33430.57558358813,
  2509.0809287301227,
]
const centralBottom = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943, 5226.495278852854,
]
const nearTop = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
]
const nearBottom = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457, 0.0005475938084995345,
  1.0507500716444169e-9,
]
const farTop = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124, 0.0012426609473880784,
  0.000027115555687434876, 2.0103343992922881e-7,
]
const farBottom = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 0.000018463183175100548, 1.421511758316446e-7,
  2.0442631033899397e-15,
]
const cdfTop = [
  220.206867912376, 221.213596169931, 112.079291497871, 33.912866078383, 6.37396220353165, 0.700383064443688, 0.0352624965998911,
]
const cdfBottom = [
  440.413735824752, 793.826512519948, 637.333633378831, 296.564248779674, 86.7807322029461, 16.064177579207, 1.75566716318264,
  0.0883883476483184,
]

// Matrices are dense and stored row by row. The code below uses only + − × ÷ and √, so every engine gets the same bits.

/** Cholesky's lower triangle, in place. Leaves the upper triangle unchanged. */
export function factorize(matrix: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j] as number
      for (let k = 0; k < j; k++) sum -= (matrix[i * size + k] as number) * (matrix[j * size + k] as number)
      matrix[i * size + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (matrix[j * size + j] as number)
    }
  }
}

export function solveForward(factor: Float64Array, size: number, vector: Float64Array): void {
  for (let i = 0; i < size; i++) {
    let sum = vector[i] as number
    for (let k = 0; k < i; k++) sum -= (factor[i * size + k] as number) * (vector[k] as number)
    vector[i] = sum / (factor[i * size + i] as number)
  }
}

export function solveBackward(factor: Float64Array, size: number, vector: Float64Array): void {
  for (let i = size - 1; i >= 0; i--) {
    let sum = vector[i] as number
    for (let k = i + 1; k < size; k++) sum -= (factor[k * size + i] as number) * (vector[k] as number)
    vector[i] = sum / (factor[i * size + i] as number)
  }
}
