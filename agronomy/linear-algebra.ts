/** Dense, row by row, for the small matrices of the ranking. Only + − × ÷ √, so that every engine gets the same bits. */

/** Cholesky's lower triangle, in place; the upper one is left as it is. */
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
