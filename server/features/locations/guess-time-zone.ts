/**
 * The time zone of most people of a state, for a place whose owner said nothing yet. The dozen states with two are by their larger
 * one; the owner chooses the right one with the hours.
 */
const zones: Readonly<Record<string, string>> = {
  ...among('America/New_York', 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV'),
  ...among('America/Chicago', 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI'),
  ...among('America/Denver', 'CO ID MT NM UT WY'),
  ...among('America/Los_Angeles', 'CA NV OR WA'),
  ...among('America/Phoenix', 'AZ'),
  ...among('America/Anchorage', 'AK'),
  ...among('Pacific/Honolulu', 'HI'),
  ...among('America/Puerto_Rico', 'PR VI'),
  ...among('Pacific/Guam', 'GU MP'),
  ...among('Pacific/Pago_Pago', 'AS'),
  ...among('America/Toronto', 'ON QC NU'),
  ...among('America/Vancouver', 'BC'),
  ...among('America/Whitehorse', 'YT'),
  ...among('America/Edmonton', 'AB NT'),
  ...among('America/Regina', 'SK'),
  ...among('America/Winnipeg', 'MB'),
  ...among('America/Halifax', 'NB NS PE'),
  ...among('America/St_Johns', 'NL'),
}

function among(zone: string, states: string): Record<string, string> {
  return Object.fromEntries(states.split(' ').map((state) => [state, zone]))
}

export function guessTimeZone({ country, state }: { country: string | null; state: string | null }): string {
  if (country === 'DE') return 'Europe/Berlin'
  return (state && zones[state]) || 'UTC'
}
