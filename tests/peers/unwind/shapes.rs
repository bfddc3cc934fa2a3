use std::collections::HashMap;
use std::thread;

fn fib(n: u32) -> u64 { if n < 2 { n as u64 } else { fib(n - 1) + fib(n - 2) } }

fn maps(n: u32) -> usize {
    let mut m: HashMap<String, Vec<u32>> = HashMap::new();
    for i in 0..n { m.entry(format!("{}", i % 997)).or_default().push(i); }
    m.values().map(|v| v.len()).sum()
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let all: Vec<_> = (0..2).map(|_| thread::spawn(|| {
        let mut s = 0u64;
        for _ in 0..30 {
            s += fib(26) + maps(30000) as u64;
            s += std::panic::catch_unwind(|| if fib(3) == 2 { panic!("caught") }).is_err() as u64;
        }
        s
    })).collect();
    for h in all { h.join().unwrap(); }
}
