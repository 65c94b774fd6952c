/** The 50 states, the District of Columbia and the five inhabited territories. */

export type UsState = {
  readonly code: string
  /** The Census Bureau's two-digit code, which is the ID in us-atlas. */
  readonly fips: string
  readonly name: string
  /** A point well inside the state's largest part, for its label on a map. */
  readonly latitude: number
  readonly longitude: number
}

const table: ReadonlyArray<readonly [code: string, fips: string, name: string, latitude: number, longitude: number]> = [
  ['AK', '02', 'Alaska', 64.6, -153],
  ['AL', '01', 'Alabama', 32.8, -86.8],
  ['AR', '05', 'Arkansas', 34.8, -92.4],
  ['AS', '60', 'American Samoa', -14.32, -170.76],
  ['AZ', '04', 'Arizona', 34.4, -111.8],
  ['CA', '06', 'California', 36.7, -119.6],
  ['CO', '08', 'Colorado', 39, -105.5],
  ['CT', '09', 'Connecticut', 41.6, -72.7],
  ['DC', '11', 'District of Columbia', 38.9, -77.01],
  ['DE', '10', 'Delaware', 38.95, -75.5],
  ['FL', '12', 'Florida', 28.1, -81.7],
  ['GA', '13', 'Georgia', 32.7, -83.4],
  ['GU', '66', 'Guam', 13.44, 144.77],
  ['HI', '15', 'Hawaii', 19.6, -155.5],
  ['IA', '19', 'Iowa', 42.1, -93.5],
  ['ID', '16', 'Idaho', 43.7, -114.3],
  ['IL', '17', 'Illinois', 40, -89.3],
  ['IN', '18', 'Indiana', 40, -86.2],
  ['KS', '20', 'Kansas', 38.5, -98.4],
  ['KY', '21', 'Kentucky', 37.5, -85.3],
  ['LA', '22', 'Louisiana', 31.1, -92.3],
  ['MA', '25', 'Massachusetts', 42.35, -72],
  ['MD', '24', 'Maryland', 39.35, -76.9],
  ['ME', '23', 'Maine', 45.3, -69.2],
  ['MI', '26', 'Michigan', 43.6, -84.7],
  ['MN', '27', 'Minnesota', 46.2, -94.4],
  ['MO', '29', 'Missouri', 38.3, -92.5],
  ['MP', '69', 'Northern Mariana Islands', 15.19, 145.75],
  ['MS', '28', 'Mississippi', 32.7, -89.7],
  ['MT', '30', 'Montana', 47, -109.5],
  ['NC', '37', 'North Carolina', 35.5, -79.2],
  ['ND', '38', 'North Dakota', 47.4, -100.4],
  ['NE', '31', 'Nebraska', 41.5, -99.7],
  ['NH', '33', 'New Hampshire', 43.6, -71.6],
  ['NJ', '34', 'New Jersey', 40.1, -74.6],
  ['NM', '35', 'New Mexico', 34.4, -106.1],
  ['NV', '32', 'Nevada', 39.4, -116.8],
  ['NY', '36', 'New York', 42.85, -75.5],
  ['OH', '39', 'Ohio', 40.3, -82.7],
  ['OK', '40', 'Oklahoma', 35.5, -97.3],
  ['OR', '41', 'Oregon', 43.9, -120.5],
  ['PA', '42', 'Pennsylvania', 40.9, -77.7],
  ['PR', '72', 'Puerto Rico', 18.22, -66.45],
  ['RI', '44', 'Rhode Island', 41.65, -71.55],
  ['SC', '45', 'South Carolina', 33.9, -80.8],
  ['SD', '46', 'South Dakota', 44.4, -100.3],
  ['TN', '47', 'Tennessee', 35.8, -86.3],
  ['TX', '48', 'Texas', 31.4, -99],
  ['UT', '49', 'Utah', 39.3, -111.6],
  ['VA', '51', 'Virginia', 37.5, -78.5],
  ['VI', '78', 'United States Virgin Islands', 17.73, -64.79],
  ['VT', '50', 'Vermont', 44.1, -72.7],
  ['WA', '53', 'Washington', 47.4, -120.3],
  ['WI', '55', 'Wisconsin', 44.6, -89.9],
  ['WV', '54', 'West Virginia', 38.6, -80.8],
  ['WY', '56', 'Wyoming', 43, -107.5],
]

export const usStates: readonly UsState[] = table.map(([code, fips, name, latitude, longitude]) => ({
  code,
  fips,
  name,
  latitude,
  longitude,
}))

const byCode = new Map(usStates.map((state) => [state.code, state]))

/** Ignores case and surrounding spaces. */
export function findState(code: string): UsState | null {
  return byCode.get(code.trim().toUpperCase()) ?? null
}
