// What stands in a table under a name that a ruleset has given: it may be `constructor`, which every object has.
export const own = (table, name) => (table && Object.hasOwn(table, name) ? table[name] : undefined);
