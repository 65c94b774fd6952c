/** The value after a command's option, such as `--with`; undefined without it. */
export const option = (name: string): string | undefined =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined

export const numberOf = (name: string, otherwise: number): number => Number(option(name) ?? otherwise)
