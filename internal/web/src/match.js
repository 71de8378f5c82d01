// Queries: what one types to find nodes, links and events.

/**
 * Makes a test of a query. Words must all match: a plain word anywhere in the text, one
 * with * or ? as a pattern of a whole word or name, "-word" not at all, and "field:word",
 * "field>5", "field<5" look at one value.
 * @returns {(row: {text: string, names?: string[], field?: (name: string) => any}) => boolean}
 */
export function matcher(query) {
  const tests = words(query).map(test);
  if (tests.length === 0) return () => true;
  if (tests.length === 1) return tests[0];
  return row => tests.every(t => t(row));
}

/** Splits at blanks, but for what is in double quotes. */
export function words(query) {
  return (query.toLowerCase().match(/-?[^\s"]*"[^"]*"?|\S+/g) || []).map(w => w.replace(/"/g, '')).filter(w => w && w !== '-');
}

function test(word) {
  if (word[0] === '-') {
    const not = test(word.slice(1));
    return row => !not(row);
  }
  const field = /^([a-z]+)([:<>=])(.*)$/.exec(word);
  if (field && field[3] !== '') {
    const byField = fieldTest(field[1], field[2], field[3]), byText = plain(word);
    return row => {
      const value = row.field ? row.field(field[1]) : undefined;
      return value === undefined ? byText(row) : byField(value);
    };
  }
  return plain(word);
}

function plain(word) {
  if (!/[*?]/.test(word)) return row => row.text.includes(word);
  const re = pattern(word);
  return row => (row.names || row.text.split(/\s+/)).some(n => re.test(n));
}

/** The regular expression of a pattern with * and ?. */
export function pattern(word) {
  const body = word.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.');
  return new RegExp('^' + body + '$', 'i');
}

function fieldTest(name, operator, wanted) {
  const number = Number(wanted);
  if (operator === '>') return v => Number(v) > number;
  if (operator === '<') return v => Number(v) < number;
  if (/[*?]/.test(wanted)) {
    const re = pattern(wanted);
    return v => re.test(String(v));
  }
  return v => typeof v === 'number' ? v === number : String(v).toLowerCase().includes(wanted);
}
