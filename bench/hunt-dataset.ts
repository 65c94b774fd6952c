/**
 * One large hunt among many others, generated in SQL: 200 phenotypes with 260 plants in two runs with a check clone, 40 traits of
 * every kind, 12 weeks of logs, 2,000 photos of logs and 260 of a trait, harvests, labs and 50,000 climate readings.
 */

/** Functions used by the statements. IDs sort by their creation time, like the app's. */
export const helpers = [
  `create function pg_temp.id_at(at timestamptz) returns uuid language sql volatile as $$
     select (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-7' || substr(gen_random_uuid()::text, 16))::uuid
     from (select lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as h) as hex $$`,
  `create function pg_temp.code_of(number bigint) returns text language sql immutable as $$
     select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((number >> (5 * place)) & 31)::int + 1, 1), '' order by place desc)
     from generate_series(0, 7) as place $$`,
]

const first = `date '2026-06-01'`

/** Returns pairs of a description and a statement. Both IDs are SQL expressions. */
export const measuredHunt = (hunt: string, owner: string): [string, string][] => [
  [
    'hunts',
    `insert into hunts (id, owner_id, hunt_name, breeders, seed_count, search_text, goals, grow_environment, germination_date, next_number)
     values (${hunt}, ${owner}, 'Measured hunt', '{Bench}', 200, 'measured hunt', 'The one to keep.', 'Tent', ${first}, 201)`,
  ],
  [
    'genotypes',
    `insert into genotypes (id, hunt_id, number, label, sex, standing)
     select pg_temp.id_at(${first} + n * interval '1 second'), ${hunt}, n, case when n % 5 = 0 then 'the tall one' else '' end, 'female',
       case when n % 9 = 0 then 'cull' when n % 25 = 0 then 'keep' end
     from generate_series(1, 200) as n`,
  ],
  [
    'plants',
    `insert into plants (id, hunt_id, genotype_id, kind, copy, code, cut_on)
     select pg_temp.id_at(${first} + interval '1 hour' + number * interval '1 second'), ${hunt}, id, case copy when 0 then 'seed' else 'clone' end,
       copy, pg_temp.code_of(number * 4 + copy), case when copy > 0 then ${first} + 30 end
     from genotypes cross join generate_series(0, 2) as copy where hunt_id = ${hunt} and (copy = 0 or number <= 30)`,
  ],
  [
    'runs',
    `insert into runs (id, hunt_id, name, started_on, flowered_on, ended_on, check_genotype_id, bench_rows, bench_columns)
     select pg_temp.id_at(${first} + n * interval '1 day'), ${hunt}, 'Run ' || n, ${first} + 30 + n, ${first} + 50 + n, ${first} + 120 + n,
       (select id from genotypes where hunt_id = ${hunt} and number = 1), 12, 12
     from generate_series(1, 2) as n`,
  ],
  [
    'placements',
    `insert into placements (run_id, plant_id, bench_row, bench_column)
     select run_id, id, (place - 1) / 12 + 1, (place - 1) % 12 + 1 from (
       select runs.id as run_id, plants.id, row_number() over (partition by runs.id order by plants.id) as place
       from runs join genotypes on genotypes.hunt_id = runs.hunt_id join plants on plants.genotype_id = genotypes.id
       where runs.hunt_id = ${hunt} and genotypes.number % 2 = case runs.name when 'Run 1' then 1 else 0 end) as placed where place <= 144`,
  ],
  [
    'traits',
    `insert into traits (id, hunt_id, name, kind, source, analyte, options, direction, low, high, weight, position)
     select pg_temp.id_at(${first} + n * interval '1 minute'), ${hunt}, 'Trait ' || n, kind, source, case source when 'lab' then 'Analyte ' || n end,
       case when kind in ('ordinal', 'category', 'checks')
         then (select jsonb_agg(jsonb_build_object('value', value, 'label', 'option ' || value)) from generate_series(1, 5) as value) else '[]' end,
       case when kind in ('ordinal', 'number') then 'max' else 'none' end, case when kind in ('ordinal', 'number') then 0 end,
       case kind when 'ordinal' then 6 when 'number' then 120 end, case when kind in ('ordinal', 'number') then 1 + n % 5 else 0 end, n
     from (select n,
       case when n <= 16 then 'ordinal' when n <= 24 then 'number' when n <= 26 then 'date' when n <= 29 then 'category'
         when n <= 31 then 'checks' when n = 32 then 'photo' else 'number' end as kind,
       case n when 33 then 'log_height' when 34 then 'log_rating' when 35 then 'flower_days' when 36 then 'wet_weight' when 37 then 'dry_weight'
         when 38 then 'wash_yield' when 39 then 'lab' when 40 then 'lab' else 'observation' end as source
       from generate_series(1, 40) as n) as kinds`,
  ],
  [
    'media',
    `insert into media (id, owner_id, kind, status, byte_size, received_bytes, width, height, widths, placeholder)
     select pg_temp.id_at(${first} + n * interval '1 minute'), ${owner}, 'image', 'ready', 40000, 40000, 640, 480, '{320,640,640}',
       'data:image/webp;base64,' || repeat('UklGRg', 20)
     from generate_series(1, 2260) as n`,
  ],
  [
    'grow_logs',
    `insert into grow_logs (id, hunt_id, plant_id, logged_on, stage, height_cm, rating, notes, air_celsius, humidity_percent, author_id)
     select pg_temp.id_at(${first} + week * interval '7 days' + (n % 1000) * interval '1 second'), ${hunt}, id, ${first} + week * 7,
       case when week < 3 then 'seedling' when week < 7 then 'vegetative' else 'flower' end, 5 + week * 7 + n % 17, 1 + (n + week) % 10,
       'Looks well, praying; topped above the fifth node.', 24, 55, ${owner}
     from (select id, row_number() over (order by id) as n from plants where hunt_id = ${hunt}) as plants, generate_series(1, 12) as week`,
  ],
  [
    'grow_log_photos',
    `insert into grow_log_photos (log_id, position, media_id)
     select logs.id, 0, media.id
     from (select id, row_number() over (order by id) as n from media where owner_id = ${owner}) as media
     join (select id, row_number() over (order by id desc) as n from grow_logs where hunt_id = ${hunt}) as logs using (n) where n <= 2000`,
  ],
  [
    'observations',
    `insert into observations (id, hunt_id, trait_id, plant_id, run_id, observed_on, value_number, value_date, value_options, media_id,
       observed_by, is_current)
     select pg_temp.id_at(${first} + interval '60 days' + plants.n * interval '1 minute'), ${hunt}, traits.id, plants.id,
       (select run_id from placements where plant_id = plants.id limit 1), ${first} + 90 + (traits.position % 3),
       case traits.kind when 'ordinal' then 1 + hash % 5 when 'number' then 20 + hash % 80 end,
       case traits.kind when 'date' then ${first} + 60 + (hash % 30)::int end,
       case when traits.kind in ('category', 'checks') then array[1 + (hash % 5)::int] end,
       case traits.kind when 'photo' then media.id end, ${owner}, plants.n % 20 <> traits.position % 20 or traits.kind = 'photo'
     from (select id, row_number() over (order by id) as n from plants where hunt_id = ${hunt}) as plants
     join (select id, row_number() over (order by id) as n from media where owner_id = ${owner}) as media on media.n = plants.n + 2000
     cross join (select *, 1 as one from traits where hunt_id = ${hunt} and source = 'observation') as traits
     cross join lateral (select abs(hashtextextended(plants.id::text || traits.position, 1)) as hash) as hashed`,
  ],
  [
    'media_uses',
    `insert into media_uses (media_id, kind, subject_id)
     select media_id, 'log', log_id from grow_log_photos
     union all select media_id, 'observation', id from observations where hunt_id = ${hunt} and media_id is not null`,
  ],
  [
    'corrections',
    `insert into observations (id, hunt_id, trait_id, plant_id, run_id, observed_on, value_number, value_date, value_options, observed_by,
       corrects_id)
     select pg_temp.id_at(${first} + interval '95 days'), hunt_id, trait_id, plant_id, run_id, observed_on, value_number, value_date,
       value_options, observed_by, id
     from observations where hunt_id = ${hunt} and observed_by = ${owner} and not is_current and media_id is null`,
  ],
  [
    'harvests',
    `insert into harvests (id, hunt_id, plant_id, run_id, harvested_on, flower_days, wet_grams, dry_grams, trim_grams, wash_yield_percent)
     select pg_temp.id_at(${first} + interval '110 days'), ${hunt}, id, (select run_id from placements where plant_id = plants.id limit 1),
       ${first} + 110, 55 + copy, 300 + n, 60 + n % 50, 20, 3 + n % 4
     from (select *, row_number() over (order by id) as n from plants where hunt_id = ${hunt}) as plants`,
  ],
  [
    'lab_results',
    `insert into lab_results (id, hunt_id, plant_id, lab, tested_on, analyte, value, quantification_limit)
     select pg_temp.id_at(${first} + interval '130 days'), ${hunt}, plants.id, 'Bench lab', ${first} + 118, traits.analyte,
       case when traits.position = 40 and n % 7 = 0 then null else 15 + n % 12 end, 0.1
     from (select id, row_number() over (order by id) as n from plants where hunt_id = ${hunt}) as plants
     join traits on traits.hunt_id = ${hunt} and traits.source = 'lab' where n <= 150`,
  ],
  [
    'hunt_events',
    `insert into hunt_events (id, hunt_id, genotype_id, plant_id, kind, subject_id, happened_on, recorded_by)
     select pg_temp.id_at(created_at), hunt_id, genotype_id, plant_id, kind, id, on_day, ${owner} from (
       select grow_logs.id, grow_logs.hunt_id, plants.genotype_id, plant_id, 'log.written' as kind, logged_on as on_day,
         logged_on::timestamptz as created_at
       from grow_logs join plants on plants.id = plant_id where grow_logs.hunt_id = ${hunt}
       union all
       select observations.id, observations.hunt_id, plants.genotype_id, plant_id,
         case when corrects_id is null then 'observation.made' else 'observation.corrected' end, observed_on, observed_on::timestamptz
       from observations join plants on plants.id = plant_id where observations.hunt_id = ${hunt}) as made`,
  ],
  [
    'hunt_tasks',
    `insert into hunt_tasks (id, hunt_id, title, due_on)
     select pg_temp.id_at(${first} + n * interval '1 minute'), ${hunt}, 'Feed', ${first} + n from generate_series(1, 60) as n`,
  ],
  [
    'climate_sensors',
    `insert into climate_sensors (id, hunt_id, name)
     select gen_random_uuid(), ${hunt}, 'Sensor ' || n from generate_series(1, 2) as n`,
  ],
  [
    'climate_imports',
    `insert into climate_imports (id, hunt_id, sensor_id, file_name, time_zone, readings_count, imported_by)
     select pg_temp.id_at(${first} + interval '90 days'), ${hunt}, id, 'export.csv', 'UTC', 25000, ${owner} from climate_sensors where hunt_id = ${hunt}`,
  ],
  [
    'climate_readings',
    `insert into climate_readings (sensor_id, read_at, import_id, air_celsius, humidity_percent, vpd_kpa)
     select sensor_id, ${first}::timestamptz + n * interval '5 minutes', id, 24 + n % 5, 50 + n % 10, 1.1 + (n % 7) / 10.0
     from climate_imports, generate_series(1, 25000) as n where hunt_id = ${hunt}`,
  ],
]

/** Other people's hunts. `filled` of them have ten plants, a hundred logs, a hundred observations and their history each. */
export const otherHunts = (hunts: number, filled: number): [string, string][] => [
  [
    'users',
    `insert into users (id, email, email_verified, name, first_name, birthday, is_profile_public, has_completed_onboarding)
     select pg_temp.id_at(now() - interval '1 day' + n * interval '1 second'), 'grower' || n || '@bench.sungrove.example', true, 'Grower ' || n,
       'Grower ' || n, date '1990-01-01', true, true from generate_series(1, 2000) as n`,
  ],
  [
    'hunts',
    `insert into hunts (id, owner_id, hunt_name, breeders, search_text, visibility, published_at, is_active, completed_on)
     select pg_temp.id_at(timestamptz '2026-01-01' + n * interval '1 minute'), people[1 + n % array_length(people, 1)],
       cross_of || ' ' || n, array[breeder], lower(cross_of || ' ' || n || E'\\n' || breeder),
       case n % 2 when 0 then 'public' else 'private' end, case n % 2 when 0 then timestamptz '2026-01-01' + n * interval '1 minute' end,
       n % 3 <> 0, case when n % 3 = 0 then date '2026-10-01' end
     from generate_series(1, ${hunts}) as n
     cross join (select array_agg(id order by id) as people from users where email like 'grower%@bench.sungrove.example') as growers
     cross join lateral (select (array['Blue Dream', 'Gelato', 'Northern Lights', 'Sour Diesel', 'Zkittlez', 'Chem 91', 'Durban'])[1 + n % 7]
       || ' x ' || (array['Haze', 'OG', 'Skunk', 'Kush', 'Cookies'])[1 + n % 5] as cross_of, 'Breeder ' || n % 997 as breeder) as named`,
  ],
  [
    'genotypes',
    `insert into genotypes (id, hunt_id, number)
     select gen_random_uuid(), hunts.id, n from (select id from hunts where search_text <> 'measured hunt' order by id limit ${filled}) as hunts,
       generate_series(1, 10) as n`,
  ],
  [
    'plants',
    `insert into plants (id, hunt_id, genotype_id, kind, copy, code)
     select gen_random_uuid(), hunt_id, id, 'seed', 0, pg_temp.code_of(1000000 + row_number() over ()) from genotypes`,
  ],
  [
    'traits',
    `insert into traits (id, hunt_id, name, kind)
     select gen_random_uuid(), hunt_id, 'Trait ' || n, 'number' from genotypes, generate_series(1, 10) as n
     where number = 1`,
  ],
  [
    'grow_logs',
    `insert into grow_logs (id, hunt_id, plant_id, logged_on, stage, height_cm, rating)
     select gen_random_uuid(), hunt_id, id, date '2026-06-01' + n * 7, 'vegetative', n * 7, 5 from plants, generate_series(1, 10) as n`,
  ],
  [
    'observations',
    `insert into observations (id, hunt_id, trait_id, plant_id, observed_on, value_number)
     select gen_random_uuid(), plants.hunt_id, traits.id, plants.id, date '2026-08-01', 5 from plants join traits on traits.hunt_id = plants.hunt_id`,
  ],
  [
    'hunt_events',
    `insert into hunt_events (id, hunt_id, genotype_id, plant_id, kind, subject_id, happened_on)
     select pg_temp.id_at(timestamptz '2026-06-01' + n * interval '7 days'), hunt_id, genotype_id, id, 'log.written', id, date '2026-06-01' + n * 7
     from plants, generate_series(1, 10) as n`,
  ],
]

/** The measured person's other hunts: 30 small ones of their own, and 200 shared with them. */
export const ownBesides = (hunt: string, owner: string): [string, string][] => [
  ['hunts', `update hunts set owner_id = ${owner} where id in (select id from hunts where id <> ${hunt} order by id limit 30)`],
  [
    'hunt_shares',
    `insert into hunt_shares (hunt_id, user_id, access)
     select id, ${owner}, case when row_number() over (order by id) % 2 = 0 then 'write' else 'view' end
     from (select id from hunts where id <> ${hunt} and owner_id <> ${owner} order by id limit 200) as hunts`,
  ],
  [
    'more shares',
    `insert into hunt_shares (hunt_id, user_id, access)
     select hunts.id, users.id, 'view' from hunts, lateral (
       select id from users where id <> hunts.owner_id and id <> ${owner} and id > hunts.owner_id order by id limit 1) as users
     where hunts.id <> ${hunt}`,
  ],
]
